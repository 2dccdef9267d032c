import { cipherSuites } from '../keys/cipher-suite.ts';
import { findInnerHello } from '../keys/inner-hello.ts';
import type { KeyLog, SecretLabel } from '../keys/key-log.ts';
import type { Direction } from '../stream-sink.ts';
import type { HandshakeFacts } from '../tls/handshake-facts.ts';
import type { ConnectionIds } from './connection-ids.ts';
import type { KeyedLevel } from './encryption-level.ts';
import { JoinedPackets } from './joined-packets.ts';
import { OneRttKeys } from './one-rtt-keys.ts';
import { PacketKeys, type OpenedPacket } from './packet-keys.ts';
import type { QuicVersion } from './quic-version.ts';

const secretLabels: Record<Direction, Record<KeyedLevel, SecretLabel | null>> = {
  up: {
    '0-rtt': 'CLIENT_EARLY_TRAFFIC_SECRET',
    handshake: 'CLIENT_HANDSHAKE_TRAFFIC_SECRET',
    '1-rtt': 'CLIENT_TRAFFIC_SECRET_0',
  },
  down: { '0-rtt': null, handshake: 'SERVER_HANDSHAKE_TRAFFIC_SECRET', '1-rtt': 'SERVER_TRAFFIC_SECRET_0' },
};

/** Keys and packet numbers of one direction. 0-RTT and 1-RTT packets share their numbers. */
interface Track {
  readonly joined: JoinedPackets;
  early: PacketKeys | null;
  handshake: PacketKeys | null;
  oneRtt: OneRttKeys | null;
  largestHandshake: number;
  largestApplication: number;
}

function newTrack(): Track {
  return {
    joined: new JoinedPackets(),
    early: null,
    handshake: null,
    oneRtt: null,
    largestHandshake: -1,
    largestApplication: -1,
  };
}

/** Opens one connection's packets beyond the Initials, with the keys of a key log as they become known. */
export class KeyedOpener {
  readonly #keyLog: KeyLog;
  readonly #facts: HandshakeFacts;
  readonly #tracks: Record<Direction, Track> = { up: newTrack(), down: newTrack() };

  constructor(keyLog: KeyLog, facts: HandshakeFacts) {
    this.#keyLog = keyLog;
    this.#facts = facts;
  }

  /** Updates of the 1-RTT keys seen, in both directions. */
  get keyUpdates(): number {
    return (this.#tracks.up.oneRtt?.updates ?? 0) + (this.#tracks.down.oneRtt?.updates ?? 0);
  }

  /**
   * @param packet from its first byte to its last
   * @param numberAt where its packet number begins
   * @returns `wait` while the handshake or the key log has not told the key; null when the key does not fit
   */
  openLong(
    direction: Direction,
    level: '0-rtt' | 'handshake',
    version: QuicVersion,
    packet: Uint8Array,
    numberAt: number,
  ): OpenedPacket | 'wait' | null {
    const track = this.#tracks[direction];
    if (level === 'handshake') {
      if (direction === 'down' && track.handshake === null) this.#findInnerHello(version, packet, numberAt);
      track.handshake ??= this.#keys(direction, level, version);
      if (track.handshake === null) return 'wait';
      const opened = track.handshake.open(packet, 0, numberAt, packet.length, track.largestHandshake);
      if (opened !== null) track.largestHandshake = Math.max(track.largestHandshake, opened.number);
      return opened;
    }
    // The server says whether it takes 0-RTT packets; those it refuses come again as 1-RTT.
    if (this.#facts.earlyData === null) return 'wait';
    if (!this.#facts.earlyData) return null;
    track.early ??= this.#keys(direction, level, version);
    if (track.early === null) return 'wait';
    return note(track, track.early.open(packet, 0, numberAt, packet.length, track.largestApplication));
  }

  /**
   * As {@link openLong}, for a 1-RTT packet and what may follow it: its `bytes` tell where it ended. Its
   * connection ID may have any length that the receiver has used.
   */
  openShort(
    direction: Direction,
    version: QuicVersion,
    packet: Uint8Array,
    destinations: ConnectionIds,
  ): OpenedPacket | 'wait' | null {
    const track = this.#tracks[direction];
    if (track.oneRtt === null) {
      const first = this.#keys(direction, '1-rtt', version);
      if (first === null) return 'wait';
      track.oneRtt = new OneRttKeys(first);
    }
    for (const length of destinations.lengths) {
      const opened = track.oneRtt.open(packet, 1 + length, track.largestApplication);
      if (opened === null) continue;
      destinations.prefer(length);
      return note(track, opened);
    }
    return note(track, this.#openFirstOfJoined(track, track.oneRtt, packet, destinations.lengths));
  }

  #openFirstOfJoined(
    track: Track,
    keys: OneRttKeys,
    datagram: Uint8Array,
    idLengths: readonly number[],
  ): OpenedPacket | null {
    for (const bytes of track.joined.lengths(datagram, idLengths)) {
      const packet = datagram.subarray(0, bytes);
      for (const length of idLengths) {
        const opened = keys.openUnchanged(packet, 1 + length, track.largestApplication);
        if (opened === null) continue;
        track.joined.confirm(bytes);
        return opened;
      }
    }
    return null;
  }

  #findInnerHello(version: QuicVersion, packet: Uint8Array, numberAt: number): void {
    const suite = cipherSuites.get(this.#facts.serverHello?.cipherSuite ?? 0);
    if (suite === undefined) return;
    findInnerHello(this.#keyLog, this.#facts, (secret) => {
      const keys = new PacketKeys(version, suite, secret);
      return keys.open(packet, 0, numberAt, packet.length, -1) !== null;
    });
  }

  #keys(direction: Direction, level: KeyedLevel, version: QuicVersion): PacketKeys | null {
    const { keyRandom, serverHello } = this.#facts;
    const label = secretLabels[direction][level];
    if (keyRandom === null || serverHello === null || label === null) return null;
    const suite = cipherSuites.get(serverHello.cipherSuite);
    const secret = this.#keyLog.secret(keyRandom, label);
    return suite === undefined || secret === null ? null : new PacketKeys(version, suite, secret);
  }
}

function note(track: Track, opened: OpenedPacket | null): OpenedPacket | null {
  if (opened !== null) track.largestApplication = Math.max(track.largestApplication, opened.number);
  return opened;
}

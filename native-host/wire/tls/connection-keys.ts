import { cbcSuites } from '../keys/cbc-suite.ts';
import { cipherSuites } from '../keys/cipher-suite.ts';
import type { KeyLog } from '../keys/key-log.ts';
import type { Direction } from '../stream-sink.ts';
import { CbcOpener } from './cbc-opener.ts';
import type { HandshakeFacts } from './handshake-facts.ts';
import { KeyTrack, type KeyStage } from './key-track.ts';
import { Tls12Opener, Tls13Opener, type RecordOpener } from './record-opener.ts';
import type { ServerHello } from './server-hello.ts';

const secretLabels = {
  up: {
    'early-data': 'CLIENT_EARLY_TRAFFIC_SECRET',
    handshake: 'CLIENT_HANDSHAKE_TRAFFIC_SECRET',
    application: 'CLIENT_TRAFFIC_SECRET_0',
  },
  down: {
    'early-data': null,
    handshake: 'SERVER_HANDSHAKE_TRAFFIC_SECRET',
    application: 'SERVER_TRAFFIC_SECRET_0',
  },
} as const;

/** Finds the keys of one connection, once its handshake has said which they are. */
export class ConnectionKeys {
  readonly #keyLog: KeyLog;
  readonly #facts: HandshakeFacts;
  #tls12: { up: RecordOpener; down: RecordOpener } | null = null;

  constructor(keyLog: KeyLog, facts: HandshakeFacts) {
    this.#keyLog = keyLog;
    this.#facts = facts;
  }

  /** Why the connection cannot be opened whatever keys there are; null when it can, as far as is known. */
  get unsupported(): string | null {
    const { serverHello, tlsVersion, cipherSuite } = this.#facts;
    if (serverHello === null) return null;
    const { cipherSuite: code, version } = serverHello;
    if (version >= 0x0303 && cipherSuites.has(code)) return null;
    if (version === 0x0303 && cbcSuites.has(code)) return null;
    return `TLS ${tlsVersion ?? '?'} with ${cipherSuite ?? '?'} cannot be decrypted here.`;
  }

  /** The key log is whole, and knows nothing of this connection. */
  get willNotCome(): boolean {
    const { keyRandom, encryptedClientHello, serverHello } = this.#facts;
    // The log may know it by its inner hello, which the server's first message will tell.
    if (encryptedClientHello === true && serverHello === null) return false;
    return this.#keyLog.complete && keyRandom !== null && !this.#keyLog.has(keyRandom);
  }

  /** Why keys are missing, in words. */
  get missing(): string {
    const { keyRandom } = this.#facts;
    if (keyRandom === null) return 'The connection began before the capture: it cannot be decrypted.';
    return this.#keyLog.has(keyRandom)
      ? 'The key log lacks some of the keys of this connection.'
      : 'The key log has no keys for this connection.';
  }

  /** The keys a direction goes through; null until the handshake has told them. */
  track(direction: Direction): KeyTrack | null {
    const { keyRandom, serverHello, earlyData } = this.#facts;
    if (keyRandom === null || serverHello === null) return null;
    if (serverHello.version === 0x0303) {
      return new KeyTrack(['application'], () => this.#tls12Opener(direction, keyRandom, serverHello));
    }
    const suite = cipherSuites.get(serverHello.cipherSuite);
    if (suite === undefined) return null;
    // Whether 0-RTT data was taken is said by the server, encrypted: until then the client's records wait.
    if (direction === 'up' && earlyData === null) return null;
    const stages: KeyStage[] = ['handshake', 'application'];
    if (direction === 'up' && earlyData === true) stages.unshift('early-data');
    return new KeyTrack(stages, (stage) => {
      const label = secretLabels[direction][stage];
      const secret = label === null ? null : this.#keyLog.secret(keyRandom, label);
      return secret === null ? null : new Tls13Opener(suite, secret);
    });
  }

  /** Whether a record is the server's first under a secret that may be its handshake's. */
  opensFirst(secret: Uint8Array, header: Uint8Array, body: Uint8Array): boolean {
    const suite = cipherSuites.get(this.#facts.serverHello?.cipherSuite ?? 0);
    return suite !== undefined && new Tls13Opener(suite, secret).open(0, header, body) !== null;
  }

  #tls12Opener(direction: Direction, clientRandom: string, serverHello: ServerHello): RecordOpener | null {
    const master = this.#keyLog.secret(clientRandom, 'CLIENT_RANDOM');
    if (master === null) return null;
    this.#tls12 ??= tls12Pair(master, Buffer.from(clientRandom, 'hex'), serverHello);
    return this.#tls12?.[direction] ?? null;
  }
}

/** Null for a suite that cannot be opened. */
function tls12Pair(
  master: Uint8Array,
  clientRandom: Uint8Array,
  { cipherSuite, random, encryptThenMac }: ServerHello,
): { up: RecordOpener; down: RecordOpener } | null {
  const aead = cipherSuites.get(cipherSuite);
  if (aead !== undefined) return Tls12Opener.pair(aead, master, clientRandom, random);
  const cbc = cbcSuites.get(cipherSuite);
  return cbc === undefined ? null : CbcOpener.pair(cbc, master, clientRandom, random, encryptThenMac);
}

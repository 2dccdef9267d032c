import { describe, expect, it } from 'vitest';
import { WireAnalyzer } from '../../../../native-host/wire/analyzer.ts';
import { HeldMemory, pieceOverheadBytes } from '../../../../native-host/wire/held-memory.ts';
import { KeyLog } from '../../../../native-host/wire/keys/key-log.ts';
import { CryptoStreams } from '../../../../native-host/wire/quic/crypto-streams.ts';
import { StreamTable } from '../../../../native-host/wire/quic/stream-table.ts';
import { TcpHalf } from '../../../../native-host/wire/tcp/tcp-half.ts';
import { TlsConnection } from '../../../../native-host/wire/tls/tls-connection.ts';
import { ethernet, ipv4 } from '../../../support/ip-packets.ts';

const limitBytes = 1024 * 1024;
const pieceBytes = 1000;
/** A limit is looked at once a piece has been taken. */
const mostBytes = limitBytes + pieceBytes + pieceOverheadBytes;

const nobody = { onBytes: () => undefined, onGap: () => undefined };
const noStreams = {
  onPacket: () => undefined,
  onStreamData: () => undefined,
  onStreamReset: () => undefined,
};
const noTls = {
  onRecord: () => undefined,
  onApplicationData: () => undefined,
  onApplicationGap: () => undefined,
};

describe('what is held back', () => {
  it('of one TCP stream is bounded, though every second byte of it never comes', () => {
    const memory = new HeldMemory();
    const half = new TcpHalf('down', memory);
    half.sink = nobody;
    half.start(0);
    let largest = 0;
    for (let at = 1; at < 200_000; at += 2) {
      half.segment(at, Buffer.from('x'), 0, 1, 1, at, 20);
      largest = Math.max(largest, memory.bytes);
    }
    expect(largest).toBeGreaterThan(1_000_000);
    expect(largest).toBeLessThanOrEqual(8193 * (1 + pieceOverheadBytes));
    half.flush();
    expect(memory.bytes).toBe(0);
  });

  it('of all TCP streams together is bounded', () => {
    const memory = new HeldMemory(limitBytes);
    const frame = Buffer.alloc(pieceBytes);
    const halves = Array.from({ length: 200 }, () => {
      const half = new TcpHalf('down', memory);
      half.sink = nobody;
      half.start(0);
      return half;
    });
    for (let round = 0; round < 50; round += 1) {
      for (const half of halves) {
        half.segment(1 + round * 2 * pieceBytes, frame, 0, pieceBytes, pieceBytes, 1, 20);
        expect(memory.bytes).toBeLessThanOrEqual(mostBytes);
      }
    }
    for (const half of halves) half.flush();
    expect(memory.bytes).toBe(0);
  });

  it('of QUIC streams and handshakes is bounded together with it', () => {
    const memory = new HeldMemory(limitBytes);
    const tables = Array.from({ length: 20 }, () => new StreamTable(noStreams, memory));
    const handshakes = Array.from({ length: 20 }, () => new CryptoStreams(memory, () => undefined));
    const piece = Buffer.alloc(pieceBytes);
    for (let round = 0; round < 200; round += 1) {
      const offset = 1 + round * 2 * pieceBytes;
      for (const table of tables) table.add('down', 0, offset, piece, false, 1);
      for (const handshake of handshakes) handshake.add('initial', offset, piece, 1);
      expect(memory.bytes).toBeLessThanOrEqual(mostBytes);
    }
    for (const table of tables) table.reset('down', 0, 2);
    for (const handshake of handshakes) handshake.reset();
    expect(memory.bytes).toBe(0);
  });

  it('of records that wait for keys is bounded, and let go when keys cannot come', () => {
    const memory = new HeldMemory(limitBytes);
    const keyLog = new KeyLog();
    // A ClientHello without extensions, then sealed records whose keys are not there yet.
    const hello = Buffer.concat([
      Buffer.from('160301002f0100002b0303', 'hex'),
      Buffer.alloc(32, 7),
      Buffer.from('00000213010100' + '0000', 'hex'),
    ]);
    const sealed = Buffer.concat([Buffer.from('17030303e8', 'hex'), Buffer.alloc(pieceBytes)]);
    const connections = Array.from({ length: 50 }, () => new TlsConnection(keyLog, noTls, memory));
    let largest = 0;
    for (const connection of connections) {
      connection.onBytes('up', hello, 1, 1);
      expect(connection.handshake.clientRandom).toBe('07'.repeat(32));
      for (let i = 0; i < 100; i += 1) {
        connection.onBytes('up', sealed, 2, 2);
        largest = Math.max(largest, memory.bytes);
      }
    }
    expect(largest).toBeGreaterThan(limitBytes / 2);
    expect(largest).toBeLessThanOrEqual(mostBytes + 5);
    keyLog.end();
    for (const connection of connections) connection.finish();
    expect(memory.bytes).toBe(0);
  });
});

it('counts what a flood adds beyond the flows that are followed', () => {
  const flows = 100_000;
  const beyond = 1000;
  const analyzer = new WireAnalyzer({ linkType: 1 });
  const segment = Buffer.alloc(20);
  segment.writeUInt16BE(443, 2);
  segment.set([0x50, 0x02], 12);
  const frame = ethernet(ipv4(segment, { protocol: 6 }));
  for (let i = 0; i < flows + beyond; i += 1) {
    // By turns from every port of ever another address.
    frame.writeUInt16BE(6000 + (i % 50_000), 34);
    frame.writeUInt32BE(0x0a00_0001 + Math.floor(i / 50_000), 26);
    analyzer.push(frame, 1, 0, frame.length);
  }
  const wire = analyzer.finish({ requests: null, hosts: null });
  expect(wire.flows).toHaveLength(flows);
  expect(wire.otherPackets).toEqual({ tcp: flows, 'flow not followed': beyond });
  expect(wire.notes).toContain('There are more flows than the first 100000, which alone were followed.');
});

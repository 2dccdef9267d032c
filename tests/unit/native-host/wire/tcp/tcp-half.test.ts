import { describe, expect, it } from 'vitest';
import type { ByteSink, Direction } from '../../../../../native-host/wire/stream-sink.ts';
import { TcpHalf } from '../../../../../native-host/wire/tcp/tcp-half.ts';
import { seededGenerator } from '../../../../../shared/stats/seeded-generator.ts';

/** Keeps what it is given, gaps as runs of `?`. */
class Kept implements ByteSink {
  text = '';
  readonly times: { text: string; arrivedAtMs: number; deliveredAtMs: number }[] = [];

  onBytes(_direction: Direction, bytes: Uint8Array, arrivedAtMs: number, deliveredAtMs: number): void {
    const text = Buffer.from(bytes).toString('latin1');
    this.text += text;
    this.times.push({ text, arrivedAtMs, deliveredAtMs });
  }

  onGap(_direction: Direction, lengthBytes: number): void {
    this.text += '?'.repeat(lengthBytes);
  }
}

/** A stream that begins so close to 2^32 that its sequence numbers wrap. */
const firstSequence = (2 ** 32 - 5) | 0;

function newHalf(): { half: TcpHalf; kept: Kept; send: Send } {
  const half = new TcpHalf('down');
  const kept = new Kept();
  half.sink = kept;
  half.start(firstSequence);
  const send: Send = (offset, text, atMs, payloadBytes = text.length) => {
    const frame = Buffer.from(`header${text}trailer`);
    half.segment((firstSequence + offset) | 0, frame, 6, 6 + text.length, payloadBytes, atMs, 20);
  };
  return { half, kept, send };
}

type Send = (offset: number, text: string, atMs: number, payloadBytes?: number) => void;

describe('bytes in order', () => {
  it('are given on as they come', () => {
    const { kept, send } = newHalf();
    send(0, 'Hello, ', 1);
    send(7, 'world', 2);
    expect(kept.times).toEqual([
      { text: 'Hello, ', arrivedAtMs: 1, deliveredAtMs: 1 },
      { text: 'world', arrivedAtMs: 2, deliveredAtMs: 2 },
    ]);
  });

  it('wait for the hole before them, and keep both times', () => {
    const { half, kept, send } = newHalf();
    send(0, 'ab', 1);
    send(4, 'ef', 2);
    send(2, 'cd', 3);
    expect(kept.text).toBe('abcdef');
    expect(kept.times[2]).toEqual({ text: 'ef', arrivedAtMs: 2, deliveredAtMs: 3 });
    expect(half.outOfOrder).toBe(1);
    expect(half.retransmissions).toBe(0);
  });

  it('that fill a hole late were lost and sent again', () => {
    const { half, kept, send } = newHalf();
    send(0, 'ab', 1);
    send(4, 'ef', 2);
    send(2, 'cd', 2 + 20);
    expect(kept.text).toBe('abcdef');
    expect(half.retransmissions).toBe(1);
    expect(half.outOfOrder).toBe(0);
  });

  it('that a FIN has overtaken are out of order, though no byte was seen behind them', () => {
    const { half, kept, send } = newHalf();
    send(0, 'ab', 1);
    half.end((firstSequence + 6) | 0, 1.1);
    send(2, 'cd', 1.2);
    send(4, 'ef', 1.2);
    expect(kept.text).toBe('abcdef');
    expect([half.outOfOrder, half.retransmissions]).toEqual([2, 0]);
    send(4, 'ef', 40);
    expect([half.outOfOrder, half.retransmissions]).toEqual([2, 1]);
  });

  it('are counted once, however often they are sent', () => {
    const { half, kept, send } = newHalf();
    send(0, 'abcd', 1);
    send(0, 'abcd', 2);
    send(2, 'cdef', 3);
    expect(kept.text).toBe('abcdef');
    expect(half.uniqueBytes).toBe(6);
    expect(half.retransmissions).toBe(2);
  });

  it('do not count a keep-alive probe as sent again', () => {
    const { half, send } = newHalf();
    send(0, 'abcd', 1);
    send(3, 'd', 45_000);
    expect(half.retransmissions).toBe(0);
  });
});

describe('bytes that the capture lacks', () => {
  it('are a gap where the snap length cut them off', () => {
    const { half, kept, send } = newHalf();
    send(0, 'ab', 1, 5);
    send(5, 'f', 2);
    expect(kept.text).toBe('ab???f');
    expect(half.missedBytes).toBe(3);
  });

  it('are a gap once the receiver has long acknowledged them', () => {
    const { half, kept, send } = newHalf();
    send(0, 'ab', 1);
    for (let i = 0; i < 100; i += 1) {
      send(4 + i, 'x', 2);
      half.acknowledge((firstSequence + 4 + i) | 0);
    }
    expect(kept.text).toBe(`ab??${'x'.repeat(100)}`);
    expect(half.missedBytes).toBe(2);
  });

  it('are a gap at the end of the capture', () => {
    const { half, kept, send } = newHalf();
    send(0, 'ab', 1);
    send(4, 'ef', 2);
    half.flush();
    expect(kept.text).toBe('ab??ef');
  });

  it('cannot make it keep more than so much', () => {
    const { half, kept } = newHalf();
    const frame = Buffer.alloc(64 * 1024, 'x');
    for (let i = 0; i < 400; i += 1) {
      half.segment((firstSequence + 1 + i * frame.length) | 0, frame, 0, frame.length, frame.length, 1, 20);
    }
    expect(kept.text.startsWith('?xx')).toBe(true);
  });
});

it('puts any order of overlapping, repeated segments together again', () => {
  const random = seededGenerator(7);
  const whole = (n: number): number => Math.floor(random() * n);
  for (let round = 0; round < 300; round += 1) {
    const { half, kept, send } = newHalf();
    const stream = Array.from({ length: 40 }, () => String.fromCharCode(97 + whole(26))).join('');
    const segments = Array.from({ length: 60 }, () => {
      const start = whole(stream.length);
      return { start, text: stream.slice(start, start + 1 + whole(9)) };
    });
    // However they fell, in the end everything has come.
    for (let start = 0; start < stream.length; start += 5)
      segments.push({ start, text: stream.slice(start, start + 5) });
    for (const [atMs, { start, text }] of segments.entries()) send(start, text, atMs);
    expect(kept.text).toBe(stream);
    expect(half.uniqueBytes).toBe(stream.length);
  }
});

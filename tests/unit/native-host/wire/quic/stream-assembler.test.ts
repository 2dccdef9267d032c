import { describe, expect, it } from 'vitest';
import { StreamAssembler } from '../../../../../native-host/wire/quic/stream-assembler.ts';
import type { Span } from '../../../../../native-host/wire/stream-sink.ts';
import { SeededRandom } from '../seeded-random.ts';
import { pattern } from './quic-conversation.ts';

interface Delivery {
  offset: number;
  bytes: Buffer;
  fin: boolean;
  span: Span;
}

function recording(): { stream: StreamAssembler; deliveries: Delivery[] } {
  const deliveries: Delivery[] = [];
  const stream = new StreamAssembler((offset, bytes, fin, span) => {
    deliveries.push({ offset, bytes: Buffer.from(bytes), fin, span });
  });
  return { stream, deliveries };
}

describe('StreamAssembler', () => {
  it('holds what comes early, with the times of both', () => {
    const { stream, deliveries } = recording();
    stream.add(3, Buffer.from('def'), true, 1);
    stream.add(0, Buffer.from('abc'), false, 5);
    expect(deliveries).toEqual([
      {
        offset: 0,
        bytes: Buffer.from('abc'),
        fin: false,
        span: { firstAtMs: 5, lastAtMs: 5, deliveredAtMs: 5 },
      },
      {
        offset: 3,
        bytes: Buffer.from('def'),
        fin: true,
        span: { firstAtMs: 1, lastAtMs: 1, deliveredAtMs: 5 },
      },
    ]);
    expect(stream.done).toBe(true);
    expect(stream.heldBytes).toBe(0);
  });

  it('gives an end without bytes, and nothing after it', () => {
    const { stream, deliveries } = recording();
    stream.add(0, Buffer.from('abc'), false, 1);
    stream.add(3, Buffer.alloc(0), true, 2);
    stream.add(3, Buffer.alloc(0), true, 3);
    stream.add(3, Buffer.from('more'), true, 3);
    expect(deliveries.map(({ offset, fin }) => ({ offset, fin }))).toEqual([
      { offset: 0, fin: false },
      { offset: 3, fin: true },
    ]);
  });

  it('takes an end that came before the bytes', () => {
    const { stream, deliveries } = recording();
    stream.add(3, Buffer.alloc(0), true, 1);
    expect(stream.done).toBe(false);
    stream.add(0, Buffer.from('abc'), false, 2);
    expect(stream.done).toBe(true);
    expect(deliveries).toHaveLength(1);
  });

  it('gives every byte once, in order and of its first arrival, however pieces come and overlap', () => {
    const whole = pattern(400);
    for (let seed = 1; seed <= 300; seed += 1) {
      const random = new SeededRandom(seed);
      const { stream, deliveries } = recording();
      const firstArrival = new Float64Array(whole.length).fill(Infinity);
      for (let atMs = 0; !stream.done; atMs += 1) {
        // From time to time the lowest byte that is missing, so that the stream gets done.
        const offset = random.below(8) === 0 ? firstArrival.indexOf(Infinity) : random.below(whole.length);
        const start = Math.max(0, offset);
        const end = Math.min(whole.length, start + random.below(60));
        for (let at = start; at < end; at += 1) firstArrival[at] = Math.min(firstArrival[at] ?? 0, atMs);
        stream.add(start, whole.subarray(start, end), end === whole.length, atMs);
      }
      expect(Buffer.concat(deliveries.map(({ bytes }) => bytes)).equals(whole)).toBe(true);
      let latest = 0;
      for (const { offset, bytes, span } of deliveries) {
        const arrivals = firstArrival.subarray(offset, offset + bytes.length);
        expect(arrivals.every((arrival) => arrival === span.firstAtMs)).toBe(true);
        latest = Math.max(latest, span.lastAtMs);
        expect(span.deliveredAtMs).toBe(latest);
      }
      expect(stream.heldBytes).toBe(0);
    }
  });
});

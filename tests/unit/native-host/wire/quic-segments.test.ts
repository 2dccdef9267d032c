import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { segmentBytesOf } from '../../../../native-host/wire/quic-segments.ts';

const id = Buffer.from('81bcbb8d', 'hex');

/** A 1-RTT packet as it looks without its keys: noise behind a short header. */
function packet(bytes: number, name: number, connectionId = id): Buffer {
  const noise = Array.from({ length: bytes / 32 + 1 }, (_, i) =>
    createHash('sha256').update(`${name} ${i}`).digest(),
  );
  return Buffer.concat([Buffer.from([0x40 | name]), connectionId, ...noise]).subarray(0, bytes);
}

const packets = (sizes: readonly number[], connectionId = id): Buffer =>
  Buffer.concat(sizes.map((size, i) => packet(size, i, connectionId)));

it('tells the size of segments that offload joined', () => {
  expect(segmentBytesOf(packets([1252, 1252, 1252, 400]), id)).toBe(1252);
  expect(segmentBytesOf(packets([265, 265, 265, 265, 265]), id)).toBe(265);
  expect(segmentBytesOf(packets([40, 30]), id)).toBe(40);
});

it('tells it when the capture has only the beginning', () => {
  expect(segmentBytesOf(packets([1252, 1252, 1252]).subarray(0, 1488), id)).toBe(1252);
});

it('leaves single datagrams alone', () => {
  expect(segmentBytesOf(packet(1252, 1), id)).toBeNull();
  // The ID by chance inside, but not where a packet would begin.
  const lookalike = packet(1252, 1);
  lookalike.set([0x80, ...id], 600);
  expect(segmentBytesOf(lookalike, id)).toBeNull();
});

it('does not trust short or empty IDs', () => {
  const short = Buffer.from('ab');
  expect(segmentBytesOf(packets([300, 300], short), short)).toBeNull();
  expect(segmentBytesOf(packets([1252, 1252], Buffer.alloc(0)), Buffer.alloc(0))).toBeNull();
});

import { expect, it } from 'vitest';
import { QuicTimeline } from '../../../../../native-host/wire/keyless/quic-timeline.ts';

/** A connection on which the client asks once and the server fills datagrams at the times given. */
function lastResponseOf(fullAtMs: readonly number[]): ReturnType<QuicTimeline['take']>['lastResponse'] {
  const timeline = new QuicTimeline();
  timeline.packet('up', 'short', 400, 0);
  for (const atMs of fullAtMs) {
    timeline.datagram('down', 1200);
    timeline.packet('down', 'short', 1190, atMs);
  }
  return timeline.take().lastResponse;
}

it('knows the last of a steady response', () => {
  expect(lastResponseOf([10, 11, 12])).toEqual({ atMs: 12, earliestMs: 12, latestMs: 12 });
});

it('says that one or two datagrams after a probe time-out may bring nothing new', () => {
  // RFC 9002 section 6.2.4: a probe is one or two datagrams, of new data or of data sent before.
  expect(lastResponseOf([10, 11, 12, 45])).toEqual({ atMs: 45, earliestMs: 12, latestMs: 45 });
  expect(lastResponseOf([10, 11, 12, 45, 46, 110, 111])).toEqual({
    atMs: 111,
    earliestMs: 12,
    latestMs: 111,
  });
});

it('knows that a third is new', () => {
  expect(lastResponseOf([10, 11, 12, 45, 46, 47])).toEqual({ atMs: 47, earliestMs: 47, latestMs: 47 });
});

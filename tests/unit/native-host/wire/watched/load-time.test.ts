import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadTime, type ObservedLoad } from '../../../../../native-host/wire/watched/load-time.ts';
import { watched } from '../../../../support/watched-fixture.ts';
import { fixtureFrames, type Frame } from '../../../../support/frames.ts';

const arms = ['h1', 'h2', 'h3'] as const;

/** What tshark reads in the same captures, with their keys. */
const truth = JSON.parse(readFileSync('tests/fixtures/wire/page-loads.json', 'utf8')) as Record<
  (typeof arms)[number],
  { firstRequestAtMs: number; lastResponseAtMs: number }
>;

const server = { address: '10.20.2.2', port: 443 };

const atMs = ({ seconds, nanoseconds }: Frame): number => seconds * 1000 + nanoseconds / 1e6;

/** The load of a fixture, whose load event was when its last response had come. */
function loadOf(arm: (typeof arms)[number], frames: readonly Frame[]): ObservedLoad {
  const [first] = frames;
  if (!first) throw new Error('The capture is empty.');
  return { fromMs: atMs(first), toMs: truth[arm].lastResponseAtMs, servers: [server] };
}

/** An hour later: every window has closed. */
const long = (load: ObservedLoad): number => load.toMs + 3_600_000;

describe.each(arms)('a page load over %s', (arm) => {
  const frames = fixtureFrames(arm);
  const load = loadOf(arm, frames);
  const { firstRequestAtMs, lastResponseAtMs } = truth[arm];

  it('has the Time on Wire of tshark, within its bound', () => {
    const { time, untilMs } = loadTime(watched(frames), load, long(load));
    if (time.missing !== null) throw new Error(time.missing);
    const { valueMs, errorBoundMs } = time.timeOnWire;
    expect(Math.abs(valueMs - (lastResponseAtMs - firstRequestAtMs))).toBeLessThanOrEqual(
      errorBoundMs + 0.001,
    );
    expect(errorBoundMs).toBeLessThan(valueMs);
    expect(time).toMatchObject({ reusedConnections: 0 });
    expect(time.setup?.valueMs).toBeGreaterThan(0);
    expect(time.wireTotal?.valueMs).toBeCloseTo(valueMs + (time.setup?.valueMs ?? NaN), 3);
    expect(untilMs).toBeGreaterThanOrEqual(lastResponseAtMs + 500);
  });

  it('is told by address and port', () => {
    const connections = watched(frames);
    const ask = (servers: ObservedLoad['servers']) =>
      loadTime(connections, { ...load, servers }, long(load)).time;
    expect(ask([{ address: '10.20.2.3', port: 443 }])).toMatchObject({ missing: 'no-packets' });
    expect(ask([{ address: '10.20.2.2', port: 8443 }])).toMatchObject({ missing: 'no-packets' });
    expect(ask([{ address: '10.20.2.3', port: 443 }, server])).toMatchObject({ missing: null });
  });

  it('is told by time', () => {
    const connections = watched(frames);
    const hour = 3_600_000;
    for (const shiftMs of [-hour, hour]) {
      const other = { ...load, fromMs: load.fromMs + shiftMs, toMs: load.toMs + shiftMs };
      expect(loadTime(connections, other, long(other)).time).toMatchObject({ missing: 'no-packets' });
    }
  });

  it('has none where its connections were in use right before', () => {
    // The document had been asked for before, and its pictures are asked for now.
    const fromMs = firstRequestAtMs + 11;
    const { time } = loadTime(watched(frames), { ...load, fromMs }, long(load));
    expect(time).toMatchObject({ missing: 'busy' });
  });

  it('has none where the watch began in the middle of a connection', () => {
    const begun = frames.filter((frame) => atMs(frame) > firstRequestAtMs);
    expect(loadTime(watched(begun), load, long(load)).time).toMatchObject({ missing: 'late-capture' });
  });

  it('has none where its beginning had to make room', () => {
    expect(loadTime(watched(frames, 8), load, long(load)).time).toMatchObject({ missing: 'too-much' });
  });

  it('is not over before its network was quiet', () => {
    const { untilMs } = loadTime(watched(frames), load, load.toMs);
    expect(untilMs).toBeGreaterThanOrEqual(load.toMs + 500);
    expect(untilMs).toBeLessThanOrEqual(load.toMs + 30_000);
  });

  it('is forgotten when it is old', () => {
    const connections = watched(frames);
    connections.forgetBefore(long(load));
    expect([...connections.all]).toEqual([]);
    expect(loadTime(connections, load, long(load)).time).toMatchObject({ missing: 'no-packets' });
  });
});

describe.each(['h1', 'h2'] as const)('a page load over %s with packets missing', (arm) => {
  it('has none', () => {
    const frames = fixtureFrames(arm);
    const load = loadOf(arm, frames);
    const { firstRequestAtMs, lastResponseAtMs } = truth[arm];
    const middleMs = (firstRequestAtMs + lastResponseAtMs) / 2;
    const missing = frames.findIndex((frame) => atMs(frame) > middleMs && frame.bytes.length > 1000);
    const rest = frames.filter((_, index) => index !== missing);
    expect(loadTime(watched(rest), load, long(load)).time).toMatchObject({ missing: 'lost' });
  });
});

it('reads nothing that is not encrypted', () => {
  // The same bytes, none of which is a TLS record any more.
  const frames = fixtureFrames('h1').map((frame) => {
    const bytes = Buffer.from(frame.bytes);
    const isTcp = bytes.readUInt16BE(12) === 0x0800 && bytes[23] === 6;
    const payloadAt = 34 + ((bytes[46] ?? 0) >> 4) * 4;
    if (isTcp && bytes.length > payloadAt) bytes.fill('GET / HTTP/1.1\r\n\r\n', payloadAt);
    return { ...frame, bytes };
  });
  const load = loadOf('h1', frames);
  expect(loadTime(watched(frames), load, long(load)).time).toMatchObject({ missing: 'in-the-clear' });
});

it('follows no more connections than it may, and says so', () => {
  const frames = fixtureFrames('h1');
  const load = loadOf('h1', frames);
  const connections = watched(frames, undefined, 1);
  expect([...connections.all]).toHaveLength(1);
  expect(loadTime(connections, load, long(load)).time).toMatchObject({ missing: 'too-much' });
});

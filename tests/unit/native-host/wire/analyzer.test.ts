import { readFileSync } from 'node:fs';
import { safeParse } from 'valibot';
import { describe, expect, it } from 'vitest';
import { WireAnalyzer, type AnalyzerOptions } from '../../../../native-host/wire/analyzer.ts';
import type { PageDescription } from '../../../../native-host/wire/page.ts';
import { WireSchema, type Wire } from '../../../../shared/record/wire.ts';
import { fixtureFrames, fixtureKeys, type Frame } from '../../../support/frames.ts';

const arms = ['h1', 'h2', 'h3'] as const;

/** What tshark reads in the same captures, with the same keys. */
const truth = JSON.parse(readFileSync('tests/fixtures/wire/page-loads.json', 'utf8')) as Record<
  (typeof arms)[number],
  { firstRequestAtMs: number; lastResponseAtMs: number }
>;

const wholeFile: PageDescription = { requests: null, hosts: null };

function pushAll(analyzer: WireAnalyzer, frames: readonly Frame[]): void {
  for (const { bytes, seconds, nanoseconds, originalBytes } of frames) {
    analyzer.push(bytes, seconds, nanoseconds, originalBytes);
  }
}

function analyzed(
  frames: readonly Frame[],
  keys: string | null,
  page = wholeFile,
  options: Partial<AnalyzerOptions> = {},
): Wire {
  const analyzer = new WireAnalyzer({ linkType: 1, ...options });
  if (keys !== null) analyzer.addKeyLog(keys);
  pushAll(analyzer, frames);
  return analyzer.finish(page);
}

/** Some packets come after the two that follow them, as where one was lost and sent again. */
function disordered(frames: readonly Frame[]): Frame[] {
  return frames
    .map((frame, index) => ({ frame, place: index % 7 === 5 ? index + 2.5 : index }))
    .sort((a, b) => a.place - b.place)
    .map(({ frame }) => frame);
}

/** As libpcap gives frames: each a Buffer on memory that the next one overwrites. */
function analyzedInOneBuffer(frames: readonly Frame[], keys: string): Wire {
  const analyzer = new WireAnalyzer({ linkType: 1 });
  const shared = Buffer.alloc(2 ** 16);
  for (const { bytes, seconds, nanoseconds, originalBytes } of frames) {
    shared.fill(0xff).set(bytes);
    analyzer.push(shared.subarray(0, bytes.length), seconds, nanoseconds, originalBytes);
  }
  analyzer.addKeyLog(keys);
  return analyzer.finish(wholeFile);
}

function isIp(frame: Uint8Array): boolean {
  return [0x0800, 0x86dd].includes(Buffer.from(frame).readUInt16BE(12));
}

/** Of an Ethernet frame with IPv4 or IPv6, and TCP or UDP behind its header: each port by another. */
function withPorts({ bytes, ...rest }: Frame, portOf: (port: number) => number): Frame {
  const frame = Buffer.from(bytes);
  const isIpv4 = frame.readUInt16BE(12) === 0x0800;
  const at = 14 + (isIpv4 ? ((frame[14] ?? 0) & 0x0f) * 4 : 40);
  for (const portAt of [at, at + 2]) frame.writeUInt16BE(portOf(frame.readUInt16BE(portAt)), portAt);
  return { ...rest, bytes: frame };
}

function epoch(wire: Wire, sinceMs: number | null): number {
  return (wire.epochMs ?? NaN) + (sinceMs ?? NaN);
}

describe.each(arms)('a page load over %s', (arm) => {
  const frames = fixtureFrames(arm);
  const keys = fixtureKeys(arm);
  const keyed = analyzed(frames, keys);

  it('has the times of tshark, exactly', () => {
    expect(keyed.method).toBe('keyed');
    expect(epoch(keyed, keyed.firstRequestAtMs.value)).toBeCloseTo(truth[arm].firstRequestAtMs, 2);
    expect(epoch(keyed, keyed.lastResponseAtMs.value)).toBeCloseTo(truth[arm].lastResponseAtMs, 2);
    expect(keyed.timeOnWireMs.errorBoundMs).toBe(0);
  });

  it('is read the same when every frame comes in the same memory, out of order, and the keys at last', () => {
    const shuffled = disordered(frames);
    const inOneBuffer = analyzedInOneBuffer(shuffled, keys);
    expect(inOneBuffer).toEqual(analyzed(shuffled, keys));
    expect(inOneBuffer.requests).toHaveLength(keyed.requests.length);
    expect(inOneBuffer.notes.join()).not.toContain('missing');
  });

  it('has them without keys, within the bound', () => {
    const keyless = analyzed(frames, null);
    expect(keyless.method).toBe('keyless');
    for (const figure of ['firstRequestAtMs', 'lastResponseAtMs', 'timeOnWireMs'] as const) {
      const { value, errorBoundMs } = keyless[figure];
      const exact = keyed[figure].value ?? NaN;
      expect(Math.abs((value ?? NaN) - exact)).toBeLessThanOrEqual((errorBoundMs ?? NaN) + 1e-3);
      expect(value).toBeCloseTo(exact, 0);
    }
  });

  it('is a valid part of the record', () => {
    expect(safeParse(WireSchema, keyed).issues).toBeUndefined();
    expect(safeParse(WireSchema, analyzed(frames, null)).issues).toBeUndefined();
  });

  it('counts every packet of the capture once', () => {
    for (const wire of [keyed, analyzed(frames, null)]) {
      const others = Object.values(wire.otherPackets).reduce((sum, count) => sum + count, 0);
      expect(wire.packetsDown + wire.packetsUp + others).toBe(frames.length);
    }
  });

  it('has the same packets over time as in all', () => {
    const sum = (counts: readonly number[] = []): number => counts.reduce((total, count) => total + count, 0);
    expect(sum(keyed.traffic?.bytesDown)).toBe(keyed.bytesDown);
    expect(sum(keyed.traffic?.bytesUp)).toBe(keyed.bytesUp);
    expect(sum(keyed.traffic?.packetsDown)).toBe(keyed.packetsDown);
    expect(sum(keyed.traffic?.packetsUp)).toBe(keyed.packetsUp);
  });

  it('is the same when the keys come last, line by line', () => {
    const analyzer = new WireAnalyzer({ linkType: 1 });
    pushAll(analyzer, frames);
    for (const line of keys.split('\n')) analyzer.addKeyLog(`${line}\n`);
    expect(analyzer.finish(wholeFile)).toEqual(keyed);
  });

  it('has the requests of the page, whole', () => {
    expect(
      keyed.requests.map(({ method, path, status, complete }) => ({ method, path, status, complete })),
    ).toEqual(
      ['/index.html', 1, 2, 3, 4].map((name) => ({
        method: 'GET',
        path: typeof name === 'number' ? `/picture-${name}.png` : name,
        status: 200,
        complete: true,
      })),
    );
  });

  it('tells where the time of each request went, without overlap', () => {
    for (const { waits, requestLastAtMs, responseLastAtMs } of keyed.requests) {
      const { serverMs, behindStreamsMs, otherLossMs, ownLossMs } = waits;
      const parts = [serverMs, behindStreamsMs, otherLossMs, ownLossMs].map((part) => part ?? NaN);
      expect(Math.min(...parts)).toBeGreaterThanOrEqual(0);
      const sum = parts.reduce((total, part) => total + part, 0);
      expect(sum).toBeLessThanOrEqual((responseLastAtMs ?? NaN) - requestLastAtMs + 1e-3);
    }
  });

  it("leaves requests out that the browser does not call the page's", () => {
    const document = 'https://www.towline.test/index.html';
    const wire = analyzed(frames, keys, { requests: [{ url: document }], hosts: ['www.towline.test'] });
    expect(wire.requests.filter(({ page }) => page).map(({ path }) => path)).toEqual(['/index.html']);
    expect(wire.lastResponseAtMs.value).toBe(
      wire.requests.find(({ path }) => path === '/index.html')?.responseLastAtMs,
    );
  });

  it('finds nothing on hosts that are not the page', () => {
    const wire = analyzed(frames, null, { requests: [], hosts: ['elsewhere.test'] });
    expect(wire.epochMs).toBeNull();
    expect(wire.timeOnWireMs.value).toBeNull();
    expect(wire.timeOnWireMs.missing).toMatch(/No flow/);
  });

  it('says so when the key log is that of another browser', () => {
    const otherKeys = fixtureKeys(arm === 'h1' ? 'h2' : 'h1');
    const wire = analyzed(frames, otherKeys);
    expect(wire.method).toBe('keyless');
    expect(wire.notes).toContain(
      'The key log has no keys for any connection of the capture: it was read without keys.',
    );
    expect(wire.timeOnWireMs.value).toBeCloseTo(keyed.timeOnWireMs.value ?? NaN, 0);
  });

  it('gives what it can of frames cut at 96 bytes, and does not make up the rest', () => {
    const cut = frames.map((frame) => ({ ...frame, bytes: frame.bytes.subarray(0, 96) }));
    const wire = analyzed(cut, keys);
    expect(wire.method).toBe('keyless');
    for (const [i, flow] of wire.flows.entries()) {
      expect(flow.bytesDown).toBe(keyed.flows[i]?.bytesDown);
      expect(flow.packetsUp).toBe(keyed.flows[i]?.packetsUp);
    }
    const { value, errorBoundMs } = wire.lastResponseAtMs;
    if (value !== null) {
      const error = Math.abs(epoch(wire, value) - truth[arm].lastResponseAtMs);
      expect(error).toBeLessThanOrEqual((errorBoundMs ?? NaN) + 1e-3);
    }
  });
});

it('takes who speaks QUIC first for the client, where neither addresses nor ports tell', () => {
  const frames = fixtureFrames('h3').filter(({ bytes }) => isIp(bytes));
  const moved = frames.map((frame) => withPorts(frame, (port) => (port === 443 ? 60_000 : 40_000)));
  const [flow] = analyzed(moved, fixtureKeys('h3')).flows;
  expect(flow).toMatchObject({
    protocol: 'h3',
    sni: 'www.towline.test',
    clientPort: 40_000,
    serverPort: 60_000,
  });
});

describe('several page loads in one capture', () => {
  // The three captures were made one after the other, two seconds and more apart.
  const frames = arms.flatMap(fixtureFrames);
  const keys = arms.map(fixtureKeys).join('');

  it('are told apart by the pause between them', () => {
    const analyzer = new WireAnalyzer({ linkType: 1, splitIdleMs: 1500 });
    analyzer.addKeyLog(keys);
    pushAll(analyzer, frames);
    const loads = analyzer.finishLoads(wholeFile);
    expect(loads.map((load) => load.timeOnWireMs)).toEqual(
      arms.map((arm) => analyzed(fixtureFrames(arm), fixtureKeys(arm)).timeOnWireMs),
    );
    expect(loads.map((load) => load.requests.length)).toEqual([5, 5, 5]);
    const packets = loads.map(
      (load) =>
        load.packetsDown +
        load.packetsUp +
        Object.values(load.otherPackets).reduce((sum, count) => sum + count, 0),
    );
    expect(packets.reduce((sum, count) => sum + count)).toBe(frames.length);
  });

  it('are one without a pause to look for', () => {
    expect(analyzed(frames, keys).requests).toHaveLength(15);
  });
});

it("tells the page's connections from another tab's to the same host by the browser's own ports", () => {
  const frames = fixtureFrames('h2');
  const all = analyzed(frames, null).flows.filter(({ page }) => page);
  const [first] = all;
  if (!first) throw new Error('The fixture has a page.');
  const page = { requests: [], hosts: [first.sni ?? ''] };
  expect(analyzed(frames, null, page).flows.filter((flow) => flow.page)).toHaveLength(all.length);
  const ports = [first.clientPort];
  const told = analyzed(frames, null, { ...page, clientPorts: ports }).flows.filter((flow) => flow.page);
  expect(told.map(({ clientPort }) => clientPort)).toEqual(ports);
  const others = { ...page, clientPorts: [first.clientPort + 1] };
  expect(analyzed(frames, null, others).timeOnWireMs.value).toBeNull();
});

it('takes frames in an order that is not that of time', () => {
  const frames = fixtureFrames('h2');
  const swapped = frames.flatMap((frame, i) => (i % 2 === 0 ? [frames[i + 1] ?? [], frame].flat() : []));
  const wire = analyzed(swapped, fixtureKeys('h2'));
  expect(wire.requests.map(({ path }) => path)).toEqual(
    analyzed(frames, fixtureKeys('h2')).requests.map(({ path }) => path),
  );
  expect(epoch(wire, wire.lastResponseAtMs.value)).toBeCloseTo(truth.h2.lastResponseAtMs, 2);
  expect(wire.notes.some((note) => note.includes('earlier in time'))).toBe(true);
});

it('gives a whole record of nothing', () => {
  const wire = analyzed([], null);
  expect(safeParse(WireSchema, wire).issues).toBeUndefined();
  expect(wire).toMatchObject({ epochMs: null, flows: [], requests: [], notes: [] });
});

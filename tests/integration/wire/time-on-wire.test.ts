import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPage } from '../../../lab/pages/build-page.ts';
import type { Wire } from '../../../shared/record/wire.ts';
import { analyzeCapture } from '../../support/analyze-capture.ts';
import { openCaptureSite, type CapturedLoad, type CaptureSite } from '../../support/capture-site.ts';
import { tsharkTimes, type TsharkTimes } from '../../support/tshark.ts';

const run = promisify(execFile);

const names = ['www', 'a', 'b', 'other'].map((name) => `${name}.towline.test`);
/** The last one is not the page's. */
const [www = '', a = '', b = '', other = ''] = names;

/** Thirty pictures of the youtube page, by turns from three names. */
const shardedPage = {
  name: 'shards.html',
  body: Buffer.from(
    [
      '<!doctype html><title>Shards</title><link rel="icon" href="data:,">',
      ...Array.from({ length: 30 }, (_, i) => {
        const host = [www, a, b][i % 3] ?? '';
        return `<img src="https://${host}/picture-${i + 1}.png">`;
      }),
    ].join('\n'),
  ),
};

let site: CaptureSite;
beforeAll(async () => {
  site = await openCaptureSite([...buildPage('youtube'), shardedPage], names);
});
afterAll(async () => {
  await site.close();
});

describe.each(['h1', 'h2', 'h3'] as const)('%s', (arm) => {
  const youtube = { arm, path: 'index.html' };

  it('reads the times that tshark reads, with keys and without', async () => {
    await check(arm, await site.load(youtube), 50);
  });

  it('does so on IPv6 when packets are lost', async () => {
    await check(arm, await site.withLoss(() => site.load({ ...youtube, ipVersion: 6 })), 50);
  });

  it('does so in Firefox', async () => {
    // It quits at the load event, and the ends of some HTTP/3 streams never come.
    await check(arm, await site.load({ ...youtube, browser: 'firefox' }), 50, { whole: arm !== 'h3' });
  });

  it('does so when the page has three servers and another program is on the wire', async () => {
    const stop = keepAsking(site, other);
    try {
      await check(arm, await site.load({ arm, path: shardedPage.name }), 31);
    } finally {
      await stop();
    }
  });
});

/** Another program beside the browser, that loads a picture over and over. */
function keepAsking({ enterClient, serverAddresses }: CaptureSite, host: string): () => Promise<void> {
  const script = `
    const options = { host: '${serverAddresses[4]}', servername: '${host}', headers: { host: '${host}' } };
    const ask = () => require('node:https').get(
      { ...options, path: '/picture-1.png', agent: false, rejectUnauthorized: false },
      (response) => response.resume().on('end', ask),
    );
    ask();`;
  const [program, ...args] = [...enterClient, process.execPath, '-e', script];
  const asking = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  return async () => {
    const ended = once(asking, 'exit');
    asking.kill();
    await ended;
  };
}

async function check(
  arm: 'h1' | 'h2' | 'h3',
  load: CapturedLoad,
  requests: number,
  { whole } = { whole: true },
): Promise<void> {
  const page = { requests: null, hosts: [www, a, b] };
  const truth = await tsharkTimes(load.pcapFile, load.keyLogFile, arm);
  const keyed = analyzeCapture(load.pcapFile, load.keyLogFile, page);
  expect(keyed.notes.filter((note) => !note.includes('earlier in time'))).toEqual([]);
  expectTimes(keyed, truth);
  const ofPage = keyed.requests.filter((request) => request.page && (request.complete || !whole));
  expect(ofPage).toHaveLength(requests);
  if (whole) expect(keyed.method).toBe('keyed');
  const pageFlows = keyed.flows.filter((flow) => flow.page);
  expect(new Set(pageFlows.map((flow) => flow.protocol))).toEqual(new Set([arm]));
  for (const { sni } of pageFlows) expect(page.hosts).toContain(sni);

  const keyless = analyzeCapture(load.pcapFile, null, page);
  expect(keyless.method).toBe('keyless');
  expectTimes(keyless, truth);
  const packets = await tsharkPackets(load.pcapFile);
  expect(flowsOf(keyed)).toEqual(flowsIn(packets));
  const ports = pageFlows.map((flow) => flow.clientPort);
  expect(keyed.traffic).toMatchObject(
    trafficIn(
      packets.filter(({ port }) => ports.includes(port)),
      keyed,
    ),
  );
}

/** Both moments are those of tshark, within 0.05 ms and the bound that the figure itself has. */
function expectTimes(wire: Wire, truth: TsharkTimes): void {
  for (const name of ['firstRequestAtMs', 'lastResponseAtMs'] as const) {
    const { value, errorBoundMs } = wire[name];
    const errorMs = Math.abs(absolute(wire, value) - truth[name]);
    expect(errorMs, `${name} by ${wire.method}`).toBeLessThanOrEqual((errorBoundMs ?? NaN) + 0.05);
  }
}

function absolute(wire: Wire, sinceMs: number | null): number {
  return (wire.epochMs ?? NaN) + (sinceMs ?? NaN);
}

interface FlowFacts {
  port: number;
  packets: number;
  bytes: number;
  /** Segments from the server that fill a hole or bring nothing new. */
  outOfLine: number;
}

function flowsOf(wire: Wire): FlowFacts[] {
  return wire.flows
    .filter((flow) => flow.serverPort === 443)
    .map((flow) => ({
      port: flow.clientPort,
      packets: flow.packetsDown + flow.packetsUp,
      bytes: flow.bytesDown + flow.bytesUp,
      // Which of the two a segment is, tshark judges by the time since the newest data, this by the hole's age.
      outOfLine: (flow.retransmissionsDown ?? 0) + (flow.outOfOrderDown ?? 0),
    }));
}

/** One packet to or from the server's port, by tshark. */
interface Packet {
  /** Its TCP or UDP conversation. */
  conversation: string;
  /** The client's. */
  port: number;
  down: boolean;
  atMs: number;
  bytes: number;
  outOfLine: boolean;
}

async function tsharkPackets(pcapFile: string): Promise<Packet[]> {
  const fields = [
    ...['tcp.stream', 'udp.stream', 'tcp.srcport', 'udp.srcport', 'tcp.dstport', 'udp.dstport'],
    ...['frame.time_epoch', 'ip.len', 'ipv6.plen'],
    ...['tcp.len', 'tcp.analysis.retransmission', 'tcp.analysis.out_of_order'],
  ];
  const filter = 'not icmp and not icmpv6 and (tcp.port == 443 or udp.port == 443)';
  const { stdout } = await run(
    'tshark',
    [
      ...['-r', pcapFile, '-Y', filter, '-T', 'fields', '-E', 'separator=|'],
      ...fields.flatMap((field) => ['-e', field]),
    ],
    { maxBuffer: 64 * 1024 * 1024 },
  );
  return stdout
    .trim()
    .split('\n')
    .map((line) => {
      const [tcp = '', udp = '', tcpFrom = '', udpFrom = '', tcpTo = '', udpTo = '', ...facts] =
        line.split('|');
      const [epoch = '', ip = '', ipv6 = '', payloadBytes = '', ...outOfLine] = facts;
      const [from, to] = [Number(tcpFrom || udpFrom), Number(tcpTo || udpTo)];
      const down = from === 443;
      return {
        conversation: tcp === '' ? `udp ${udp}` : `tcp ${tcp}`,
        port: down ? to : from,
        down,
        atMs: Number(epoch) * 1000,
        bytes: ip === '' ? Number(ipv6) + 40 : Number(ip),
        outOfLine: down && Number(payloadBytes) > 0 && outOfLine.some((mark) => mark !== ''),
      };
    });
}

function flowsIn(packets: readonly Packet[]): FlowFacts[] {
  const flows = new Map<string, FlowFacts>();
  for (const { conversation, port, bytes, outOfLine } of packets) {
    const flow = flows.get(conversation) ?? { port, packets: 0, bytes: 0, outOfLine: 0 };
    flow.packets += 1;
    flow.bytes += bytes;
    if (outOfLine) flow.outOfLine += 1;
    flows.set(conversation, flow);
  }
  return [...flows.values()];
}

/** The packets in bins as the reading has them. */
function trafficIn(packets: readonly Packet[], { epochMs, traffic }: Wire): Record<string, number[]> {
  const { binMs, fromMs, bytesDown } = traffic ?? { binMs: NaN, fromMs: NaN, bytesDown: [] };
  const start = Math.round(((epochMs ?? NaN) + fromMs) / binMs);
  const perBin = (down: boolean, of: (packet: Packet) => number): number[] => {
    const bins = bytesDown.map(() => 0);
    for (const packet of packets) {
      // A double holds the microseconds of tshark's seconds since 1970 to within a quarter of one.
      const bin = Math.floor((packet.atMs + 0.0005) / binMs) - start;
      if (packet.down === down) bins[bin] = (bins[bin] ?? 0) + of(packet);
    }
    return bins;
  };
  return {
    bytesDown: perBin(true, ({ bytes }) => bytes),
    bytesUp: perBin(false, ({ bytes }) => bytes),
    packetsDown: perBin(true, () => 1),
    packetsUp: perBin(false, () => 1),
  };
}

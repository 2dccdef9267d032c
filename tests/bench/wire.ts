/**
 * Speed and memory of the wire engine, on captures that the benchmark makes itself in namespaces of its own:
 * against tcpdump and tshark on the same file, in the same run; on ten times the file; the rate of decryption; how
 * long figures take after the last packet; a live capture at 1 Gbit/s.
 *
 * script/bench wire [--packets N] [--loads N]   (default 2,000,000 packets of iperf3 and 10 page loads per arm)
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { buildPage, type PageFile } from '../../lab/pages/build-page.ts';
import { numberedPicture } from '../../lab/pages/numbered-picture.ts';
import { encodePng } from '../../lab/pages/png.ts';
import { openPacketSource } from '../../native-host/capture/open-packet-source.ts';
import { WireAnalyzer } from '../../native-host/wire/analyzer.ts';
import { pcapFileHeaderBytes } from '../../native-host/wire/capture-file/pcap-format.ts';
import { analyzeCapture } from '../support/analyze-capture.ts';
import { openCaptureSite, type CaptureSite } from '../support/capture-site.ts';
import { framesOf } from '../support/frames.ts';
import { repeatCapture } from '../support/repeat-capture.ts';

const run = promisify(execFile);
const arms = ['h1', 'h2', 'h3'] as const;
const towline = ['bin/towline', 'analyze', '--json'];
/** Of each program, in turns; the quickest run is the one that others on the machine disturbed least. */
const repetitions = 5;
const bigFiles = 4;
const bigFileBytes = 15_000_000;
const liveSeconds = 10;
/** Larger file that time and memory are compared with. */
const times = 10;

const asked = (name: string, otherwise: number): number => {
  const at = process.argv.indexOf(name);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
};

if (process.argv.includes('--live')) await captureLive();
else await compareAll();

async function compareAll(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'bench-wire-'));
  const site = await openCaptureSite([...buildPage('youtube'), ...bigPage()]);
  try {
    const packets = asked('--packets', 2_000_000);
    const whole = join(directory, 'whole.pcap');
    const larger = join(directory, 'larger.pcap');
    await captureTraffic(site, whole, packets);
    const loads = asked('--loads', 10);
    for (let i = 0; i < loads; i += 1) {
      for (const arm of arms) await append((await site.load({ arm, path: 'index.html' })).pcapFile, whole);
    }
    console.log(
      `${packets} packets of iperf3 and ${loads * arms.length} page loads, ${megabytes((await stat(whole)).size)} MB:`,
    );
    await compareReaders(whole);
    await repeatCapture(whole, larger, times);
    await compareSizes(whole, larger);
    await rm(larger);
    await measureDecryption(site);
    await measureFinish(site);
    await measureLive(site);
    const [load = 0] = loadavg();
    console.log(
      `on ${availableParallelism()} cores, with a load of ${load.toFixed(1)} at the end: beyond one per core, others took part`,
    );
  } finally {
    await site.close();
    await rm(directory, { recursive: true, force: true });
  }
}

async function compareReaders(whole: string): Promise<void> {
  const commands = {
    ours: [...towline, whole],
    tcpdump: ['tcpdump', '-r', whole, '-w', '/dev/null'],
  };
  const { ours, tcpdump } = await timedInTurns(commands);
  const { tshark } = await timedInTurns({ tshark: ['tshark', '-r', whole, '-q', '-z', 'conv,tcp'] }, 1);
  console.log(`  towline analyze ${seconds(ours)}, tcpdump ${seconds(tcpdump)}, tshark ${seconds(tshark)}`);
  console.log(`  towline / tcpdump ${(ours.ms / tcpdump.ms).toFixed(2)} (goal: at most 3)`);
  console.log(`  tshark / towline ${(tshark.ms / ours.ms).toFixed(1)} (goal: at least 30)`);
}

/** Process start included in both times. */
async function compareSizes(whole: string, larger: string): Promise<void> {
  const { single, multiple } = await timedInTurns(
    { single: [...towline, whole], multiple: [...towline, larger] },
    2,
  );
  console.log(
    `  largest memory ${megabytes(single.peakBytes)} MB, on ${times} times the file ${megabytes(multiple.peakBytes)} MB` +
      ' (goal: at most 200 MB, and flat)',
  );
  console.log(
    `  time ${seconds(single)}, on ${times} times the file ${seconds(multiple)}: ` +
      `${(multiple.ms / single.ms).toFixed(1)} times (goal: at most ${times})`,
  );
}

/** From the last packet and key of a page load to its figures, as at the end of a trial. */
async function measureFinish(site: CaptureSite): Promise<void> {
  for (const arm of arms) {
    const { pcapFile, keyLogFile } = await site.load({ arm, path: 'index.html' });
    const frames = framesOf(await readFile(pcapFile));
    const keys = await readFile(keyLogFile, 'latin1');
    let longestMs = 0;
    for (let i = 0; i < repetitions; i += 1) {
      const analyzer = new WireAnalyzer({ linkType: 1 });
      analyzer.addKeyLog(keys);
      for (const frame of frames) {
        analyzer.push(frame.bytes, frame.seconds, frame.nanoseconds, frame.originalBytes);
      }
      const endMs = performance.now();
      analyzer.finish({ requests: null, hosts: null });
      longestMs = Math.max(longestMs, performance.now() - endMs);
    }
    console.log(
      `figures of an ${arm} load ready ${longestMs.toFixed(1)} ms after its last packet (goal: 50)`,
    );
  }
}

async function measureDecryption(site: CaptureSite): Promise<void> {
  console.log(`decrypting ${megabytes(bigFiles * bigFileBytes)} MB of responses:`);
  for (const arm of arms) {
    const { pcapFile, keyLogFile } = await site.load({ arm, path: 'big.html' });
    const rates: number[] = [];
    for (let i = 0; i < repetitions; i += 1) {
      const startMs = performance.now();
      const wire = analyzeCapture(pcapFile, keyLogFile);
      const bytes = wire.requests.reduce((sum, request) => sum + request.responseBytes, 0);
      rates.push(bytes / 1000 / (performance.now() - startMs));
    }
    console.log(`  ${arm} ${Math.max(...rates).toFixed(0)} MB/s (goal: at least 100)`);
  }
}

async function measureLive(site: CaptureSite): Promise<void> {
  const iperf = await startIperfServer(site);
  const self = process.argv[1] ?? '';
  const [program, ...args] = [...site.enterClient, process.execPath, self, '--live'];
  const capture = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    let said = '';
    capture.stdout.on('data', (data: Buffer) => (said += data.toString()));
    await once(capture.stdout, 'data');
    await runIperf(site, ['-R', '-b', '1G', '-t', String(liveSeconds)]);
    capture.stdin.end();
    await once(capture, 'exit');
    console.log(said.replace('ready\n', '').trimEnd());
  } finally {
    capture.kill();
    iperf.kill();
  }
}

/** The part that runs in the browser's namespace: captures until its standard input ends. */
async function captureLive(): Promise<void> {
  const analyzer = new WireAnalyzer({ linkType: 1 });
  let bytes = 0;
  const source = await openPacketSource({
    interface: 'wire',
    filter: '',
    snapLength: 256,
    onPacket: (frame, seconds, nanoseconds, originalLength) => {
      bytes += originalLength;
      analyzer.push(frame, seconds, nanoseconds, originalLength);
    },
  });
  source.start();
  const begun = process.cpuUsage();
  const startMs = performance.now();
  process.stdout.write('ready\n');
  process.stdin.resume();
  await once(process.stdin, 'end');
  const { packets, droppedByKernel, droppedByInterface } = await source.stop();
  const elapsedMs = performance.now() - startMs;
  const { user, system } = process.cpuUsage(begun);
  const endMs = performance.now();
  analyzer.finish({ requests: null, hosts: null });
  console.log(
    `live capture by ${source.kind}, snap length 256: ${packets} packets, ` +
      `${((bytes * 8) / elapsedMs / 1e6).toFixed(2)} Gbit/s on average, ` +
      `dropped ${droppedByKernel ?? '?'} by the kernel, ${droppedByInterface ?? '?'} by the interface (goal: 0)`,
  );
  console.log(
    `  CPU ${((user + system) / 10 / elapsedMs).toFixed(0)} % of one core; ` +
      `figures ready ${(performance.now() - endMs).toFixed(1)} ms after the end (goal: 50)`,
  );
}

/** iperf3 between the two ends until tcpdump has so many packets. */
async function captureTraffic(site: CaptureSite, file: string, packets: number): Promise<void> {
  const iperf = await startIperfServer(site);
  const [program = '', ...args] = [
    ...[...site.enterClient, 'tcpdump', '-i', 'wire', '-s', '256', '-B', '262144', '-Z', 'root'],
    ...['-c', String(packets), '-w', file, 'tcp'],
  ];
  const tcpdump = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  try {
    await once(tcpdump.stderr, 'data');
    const done = once(tcpdump, 'exit');
    const traffic = runIperf(site, ['-t', '600', '-P', '4']).catch(() => undefined);
    await done;
    iperf.kill();
    await traffic;
  } finally {
    tcpdump.kill();
    iperf.kill();
  }
}

async function startIperfServer(site: CaptureSite): Promise<ChildProcess> {
  const [program, ...args] = [...site.enterServer, 'iperf3', '-s', '--forceflush'];
  const server = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  await once(server.stdout, 'data');
  return server;
}

async function runIperf(site: CaptureSite, options: readonly string[]): Promise<void> {
  const [program = '', ...args] = [
    ...site.enterClient,
    'iperf3',
    '-c',
    site.serverAddresses[0][4],
    ...options,
  ];
  await run(program, args);
}

/** Adds the frames of one pcap file to another of the same format. */
async function append(from: string, to: string): Promise<void> {
  await pipeline(
    createReadStream(from, { start: pcapFileHeaderBytes }),
    createWriteStream(to, { flags: 'a' }),
  );
}

interface Timed {
  /** Shortest wall-clock time. */
  ms: number;
  /** Largest resident memory of any of its runs. */
  peakBytes: number;
}

async function timedInTurns<Name extends string>(
  commands: Record<Name, readonly string[]>,
  times = repetitions,
): Promise<Record<Name, Timed>> {
  const names = Object.keys(commands) as Name[];
  const timed = Object.fromEntries(names.map((name) => [name, { ms: Infinity, peakBytes: 0 }])) as Record<
    Name,
    Timed
  >;
  for (let i = 0; i < times; i += 1) {
    for (const name of names) await timeOnce(commands[name], timed[name]);
  }
  return timed;
}

async function timeOnce([program = '', ...args]: readonly string[], best: Timed): Promise<void> {
  const startMs = performance.now();
  const child = spawn(program, args, { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const watch = setInterval(() => {
    void residentPeak(child.pid ?? 0).then((bytes) => (best.peakBytes = Math.max(best.peakBytes, bytes)));
  }, 20);
  await ended;
  clearInterval(watch);
  best.ms = Math.min(best.ms, performance.now() - startMs);
}

/** The kernel's own high-water mark, proc(5); 0 once the process is gone. */
async function residentPeak(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => '');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
}

function bigPage(): PageFile[] {
  const names = Array.from({ length: bigFiles }, (_, i) => `big-${i + 1}.png`);
  const images = names.map((name) => `<img src="${name}">`).join('');
  return [
    { name: 'big.html', body: Buffer.from(`<!doctype html><link rel="icon" href="data:,">${images}`) },
    ...names.map((name, i) => ({ name, body: encodePng(numberedPicture(i + 1), bigFileBytes) })),
  ];
}

function seconds({ ms }: Timed): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0);
}

/**
 * Gives every parser of the wire engine, and the whole of it from frames to figures, spoilt bytes: cut at every length,
 * bits flipped, lengths that lie. Says how many inputs that were in what time. Ends at the first exception, with what
 * brings it about again; when a batch makes no progress; and when memory grows beyond its bound.
 *
 * script/bench fuzz [--inputs N] [--seed N] [--parser NAME]   (default 4,000,000 inputs)
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { fixtureFrames, fixtureKeys } from '../support/frames.ts';
import { cutAtEveryLength, fuzzedParsers, spoilSamples } from '../support/fuzz/fuzz-parser.ts';
import { fuzzWire } from '../support/fuzz/fuzz-wire.ts';

/** Inputs under one seed: what has to be repeated to see a failure again. */
const batch = 5000;
/** A batch takes less than a second; one that takes this long goes round in circles. */
const noProgressMs = 120_000;
/** Of heap and buffers after any batch, on top of the samples. */
const mostMemoryBytes = 256 * 1024 * 1024;
const wholeEngine = 'the whole engine';

interface Task {
  readonly parser: string;
  readonly inputs: number;
  readonly firstSeed: number;
}

/** After each batch. */
interface Progress {
  readonly inputs: number;
  readonly memoryBytes: number;
  readonly seed: number;
}

if (isMainThread) await fuzzAll();
else fuzzOne(workerData as Task);

async function fuzzAll(): Promise<void> {
  const asked = (name: string): string | null => {
    const at = process.argv.indexOf(name);
    return at < 0 ? null : (process.argv[at + 1] ?? null);
  };
  const inputs = Number(asked('--inputs') ?? 4_000_000);
  const only = asked('--parser');
  const names = [...fuzzedParsers.map(({ name }) => name), wholeEngine].filter(
    (name) => only === null || name === only,
  );
  if (names.length === 0) throw new Error(`No parser is called ${only ?? ''}.`);
  const startMs = performance.now();
  let total = 0;
  for (const parser of names) {
    const firstSeed = Number(asked('--seed') ?? 1);
    total += await watched({ parser, inputs: Math.ceil(inputs / names.length), firstSeed });
  }
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  console.log(`${total.toLocaleString('en')} inputs in ${seconds} s: no exception, progress on every batch`);
}

/** Runs one parser's inputs in a thread of its own, which can be ended when it hangs. */
async function watched(task: Task): Promise<number> {
  const startMs = performance.now();
  const worker = new Worker(new URL(import.meta.url), { workerData: task });
  let last: Progress = { inputs: 0, memoryBytes: 0, seed: task.firstSeed - 1 };
  let mostBytes = 0;
  const noProgress = (): void => {
    console.error(`${task.parser}: no progress after --seed ${last.seed + 1}`);
    process.exit(1);
  };
  let timer = setTimeout(noProgress, noProgressMs);
  worker.on('message', (progress: Progress) => {
    clearTimeout(timer);
    timer = setTimeout(noProgress, noProgressMs);
    last = progress;
    mostBytes = Math.max(mostBytes, progress.memoryBytes);
  });
  try {
    await once(worker, 'exit');
  } catch (error) {
    console.error(`${task.parser}: an exception with --seed ${last.seed + 1}:`);
    throw error;
  } finally {
    clearTimeout(timer);
  }
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  const megabytes = Math.round(mostBytes / 1e6);
  console.log(
    `  ${task.parser}: ${last.inputs.toLocaleString('en')} inputs, ${seconds} s, ${megabytes} MB at most`,
  );
  return last.inputs;
}

function fuzzOne({ parser: name, inputs, firstSeed }: Task): void {
  const parser = fuzzedParsers.find((one) => one.name === name);
  const sources = (['h1', 'h2', 'h3'] as const).map((arm) => ({
    frames: fixtureFrames(arm),
    keys: fixtureKeys(arm),
    file: readFileSync(`tests/fixtures/wire/page-load-${arm}.pcap`),
  }));
  const startBytes = memoryBytes();
  let taken = 0;
  const tell = (seed: number): void => {
    const grownBytes = memoryBytes() - startBytes;
    if (grownBytes > mostMemoryBytes) throw new Error(`${name} holds ${grownBytes} bytes after a batch.`);
    parentPort?.postMessage({ inputs: taken, memoryBytes: grownBytes, seed } satisfies Progress);
  };
  if (parser !== undefined) {
    taken += cutAtEveryLength(parser, firstSeed);
    tell(firstSeed - 1);
  }
  for (let seed = firstSeed; taken < inputs; seed += 1) {
    if (parser === undefined) {
      taken += fuzzWire(sources, batch, seed).inputs;
    } else {
      spoilSamples(parser, batch, seed);
      taken += batch;
    }
    tell(seed);
  }
}

/** What JavaScript holds, garbage included. */
function memoryBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

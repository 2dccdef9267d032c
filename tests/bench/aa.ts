/**
 * Does a comparison of an arm with itself stay without a difference? Real ones on the lab: runs of one arm (h1, h2
 * and h3 in turn), 16 loads each, of which two by two make 8 blocks, a coin naming the two. A run is kept as a file,
 * so that the measuring can be spread over many calls.
 *
 * script/bench aa [comparisons, 30 unless told] [directory of the runs, dist/bench/aa] [new runs in this call, all]
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { metrics } from '../../shared/record/statistics.ts';
import { readRecord } from '../../shared/record/read-record.ts';
import { metricOf } from '../../shared/stats/counted-blocks.ts';
import { seededGenerator } from '../../shared/stats/seeded-generator.ts';
import { calledOn, compareTwins, namedByCoin, twoByTwo, usable } from '../support/same-arm.ts';
import { towline } from '../support/towline.ts';

const wanted = Number(process.argv[2] ?? 30);
const directory = process.argv[3] ?? 'dist/bench/aa';
const atMost = Number(process.argv[4] ?? wanted);
const arms = ['h1', 'h2', 'h3'] as const;
const blocks = 8;

await mkdir(directory, { recursive: true });
let added = 0;
for (let run = 0; run < wanted && added < atMost; run++) {
  const arm = arms[run % arms.length] ?? 'h1';
  const file = join(directory, `${String(run).padStart(2, '0')}-${arm}.json`);
  if (existsSync(file)) continue;
  added++;
  const { status, stderr } = await towline([
    ...['compare', 'lab:twitter', '--arms', arm, '--rounds', String(2 * blocks)],
    ...['--gap', '0', '--seed', String(run), '--json', `${file}.part`],
    ...['--shape', 'rtt=110ms'],
  ]);
  if (status === 0) await rename(`${file}.part`, file);
  else {
    await rm(`${file}.part`, { force: true });
    console.log(`run ${run} (${arm}) ended with ${status}, and is left for the next call:\n${stderr}`);
  }
}

const random = seededGenerator(1);
const recorded: { arm: string; timesMs: number[][] }[] = [];
const calls: string[] = [];
let compared = 0;
let onLeading = 0;
for (const name of (await readdir(directory)).filter((file) => /^\d+-h\d\.json$/.test(file)).sort()) {
  const { trials, design } = readRecord(await readFile(join(directory, name), 'utf8'), name);
  const pairs = twoByTwo(usable(trials)).slice(0, blocks);
  recorded.push({
    arm: design.arms[0] ?? '',
    timesMs: pairs.flat().map((trial) => metrics.map((metric) => metricOf(trial, metric) ?? NaN)),
  });
  const statistics = compareTwins(namedByCoin(pairs, random), compared, 10_000);
  compared++;
  const called = calledOn(statistics);
  if (called.includes('timeOnWireMs')) onLeading++;
  for (const { metric, verdict } of statistics.pairs) {
    if (called.includes(metric)) calls.push(`  ${name}, ${pairs.length} blocks, ${metric}: ${verdict.words}`);
  }
}
await writeFile(join(directory, 'recorded.json'), `${JSON.stringify({ metrics, runs: recorded })}\n`);

console.log(`${compared} of ${wanted} comparisons of an arm with itself, ${blocks} blocks each:`);
console.log(
  `  a difference in Time on Wire called in ${onLeading} (at most 5 % of them, give or take chance)`,
);
console.log(calls.length === 0 ? '  none called in any other figure' : calls.join('\n'));
// Of 30 true nulls at 5 %, five or more come in 1.6 % of cases.
if (onLeading > 4 * Math.max(1, compared / 30)) process.exitCode = 1;

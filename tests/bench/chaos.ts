/**
 * Kills parts of comparisons by SIGKILL at random moments, in turn, on hosts of their own, and counts what was left:
 * when the run had ended, and after the next start.
 *
 * script/bench chaos [RUNS [SEED]]   (default 200 runs, seed 1)
 */
import { buildPrograms, runOnFakeHost } from '../support/capsule-program.ts';
import { resolve } from 'node:path';
import type { ChaosOutcome, ChaosStep } from '../integration/network/programs/chaos.ts';

const [runs = 200, seed = 1] = process.argv.slice(2).map(Number);
/** A host serves for so many runs, so that the progress can be seen. */
const perHost = 4;

const networks = ['root', 'rootless', 'none', 'lab'] as const;
/** In turn. A router is a process only in the lab, where something is shaped. */
function stepOf(index: number): ChaosStep {
  const network = networks[Math.floor(index / 6) % networks.length] ?? 'root';
  const steps: ChaosStep[] = [
    { victims: ['command'], network },
    { victims: ['worker'], network },
    { victims: ['browser'], network },
    { victims: ['router'], network: 'lab' },
    { victims: ['engine'], network },
    { victims: ['guardian', 'command'], network: network === 'none' ? 'none' : 'root' },
  ];
  return steps[index % steps.length] ?? { victims: ['command'], network };
}

const plan = Array.from({ length: runs }, (_, index) => stepOf(index));
const programs = await buildPrograms(['chaos', 'name-server']);
const outcomes: ChaosOutcome[] = [];
for (let from = 0; from < plan.length; from += perHost) {
  const argument = {
    checkout: resolve('.'),
    nameServer: programs['name-server'],
    seed: seed * 1_000_000 + from,
    plan: plan.slice(from, from + perHost),
  };
  const some = (await runOnFakeHost(programs.chaos, argument)) as ChaosOutcome[];
  for (const outcome of some) {
    outcomes.push(outcome);
    for (const line of outcome.leftAtEnd) console.log(`  left at the end: ${line}`);
    for (const line of outcome.leftAfterStart) console.log(`  LEFT AFTER THE NEXT START: ${line}`);
    const { victims, network, killedAtMs, status } = outcome;
    const when =
      killedAtMs === null ? 'had ended before' : `killed after ${(killedAtMs / 1000).toFixed(1)} s`;
    console.log(
      `${outcomes.length}/${runs} ${network}: ${victims.join(' and ')} ${when}, status ${status ?? 'none'}`,
    );
  }
}

const count = (test: (outcome: ChaosOutcome) => boolean): number => outcomes.filter(test).length;
console.log(`runs: ${outcomes.length}, killed: ${count(({ killedAtMs }) => killedAtMs !== null)}`);
console.log(`host not as before when the run had ended: ${count(({ leftAtEnd }) => leftAtEnd.length > 0)}`);
console.log(
  `host not as before after the next start: ${count(({ leftAfterStart }) => leftAfterStart.length > 0)}`,
);
process.exitCode = outcomes.every(({ leftAfterStart }) => leftAfterStart.length === 0) ? 0 : 1;

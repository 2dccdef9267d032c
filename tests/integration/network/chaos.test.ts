import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { buildPrograms, runOnFakeHost } from '../../support/capsule-program.ts';
import type { ChaosOutcome, ChaosStep } from './programs/chaos.ts';

/** The long form: script/bench chaos. */
const plan: ChaosStep[] = [
  { victims: ['command'], network: 'root' },
  { victims: ['worker'], network: 'rootless' },
  { victims: ['browser'], network: 'none' },
  { victims: ['engine'], network: 'none' },
  // The next start has to do what its guardian would have done.
  { victims: ['guardian', 'command'], network: 'root' },
];

test('whatever part of a run is killed at whatever moment, the host is as it was', async () => {
  const programs = await buildPrograms(['chaos', 'name-server']);
  const checkout = resolve(import.meta.dirname, '../../..');
  const argument = { checkout, nameServer: programs['name-server'], seed: Date.now(), plan };
  const outcomes = (await runOnFakeHost(programs.chaos, argument)) as ChaosOutcome[];
  expect(outcomes).toHaveLength(plan.length);
  for (const outcome of outcomes) {
    // With nobody left to do it, the settings wait for the next start.
    if (!outcome.victims.includes('guardian')) expect(outcome.leftAtEnd).toEqual([]);
    expect(outcome.leftAfterStart).toEqual([]);
  }
}, 600_000);

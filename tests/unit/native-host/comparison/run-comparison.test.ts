import { describe, expect, it } from 'vitest';
import type { Arm } from '../../../../shared/record/arm.ts';
import type { Check, Trial } from '../../../../shared/record/trial.ts';
import { planDesign } from '../../../../native-host/comparison/design.ts';
import { runComparison, type TrialRunner } from '../../../../native-host/comparison/run-comparison.ts';
import { seededGenerator } from '../../../../shared/stats/seeded-generator.ts';
import { makeTrial } from '../../../fixtures/record/make-trial.ts';

const url = 'https://a.test/';
const arms: Arm[] = ['h1', 'h2', 'h3'];

const random = seededGenerator(1);

/** A runner whose trials fail where `fails` says so. */
function runnerThat(fails: (trial: Trial) => 'protocol' | 'whole' | 'cancelled' | null): TrialRunner {
  return {
    run: (place) => {
      const trial = { ...makeTrial(place, random), ...place };
      const fault = fails(trial);
      if (fault === 'cancelled') return Promise.resolve(null);
      const rule = fault === 'protocol' ? 'protocol-browser' : 'whole';
      const checks = [{ rule, passed: fault === null, detail: `${rule} said so` } satisfies Check];
      return Promise.resolve({
        ...trial,
        verdict: { valid: fault === null, reasons: fault === null ? [] : [`${rule} said so`], checks },
      });
    },
  };
}

const page = { url, shards: [] };

async function run(runner: TrialRunner, rounds = 2, precisionPercent: number | null = null) {
  const blocks: Trial[][] = [];
  const givenUp: [Arm, string][] = [];
  const trials = await runComparison(
    planDesign({ arms, rounds, seed: 1, gapMs: 0, precisionPercent }),
    page,
    runner,
    {
      onTrial: () => undefined,
      onBlock: (block) => blocks.push([...block]),
      onArmGivenUp: (arm, reason) => givenUp.push([arm, reason]),
    },
  );
  return { trials, blocks, givenUp };
}

describe('runComparison', () => {
  it('runs a warm-up block and every block once when all goes well, each arm once in each', async () => {
    const { trials, blocks } = await run(runnerThat(() => null));
    expect(trials).toHaveLength(9);
    expect(trials.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(blocks.map((block) => block.map(({ arm }) => arm).toSorted())).toEqual([arms, arms, arms]);
    expect(trials.map(({ warmup }) => warmup)).toEqual([
      ...Array<boolean>(3).fill(true),
      ...Array<boolean>(6).fill(false),
    ]);
  });

  it('repeats the whole block in which an arm failed', async () => {
    const { trials } = await run(
      runnerThat(({ block, attempt, arm }) =>
        block === 1 && attempt === 0 && arm === 'h2' ? 'whole' : null,
      ),
    );
    expect(trials.filter(({ block }) => block === 1).map(({ attempt }) => attempt)).toEqual([
      0, 0, 0, 1, 1, 1,
    ]);
  });

  it('stops repeating at the limit and reports the block short', async () => {
    const { trials } = await run(
      runnerThat(({ block, arm }) => (block === 1 && arm === 'h2' ? 'whole' : null)),
    );
    expect(trials.filter(({ block }) => block === 1)).toHaveLength(9);
    expect(trials.filter(({ block }) => block === 2)).toHaveLength(3);
  });

  it('gives an arm up that the server cannot serve, and goes on with the others', async () => {
    const { trials, givenUp } = await run(
      runnerThat(({ arm }) => (arm === 'h3' ? 'protocol' : null)),
      3,
    );
    expect(givenUp).toEqual([['h3', 'protocol-browser said so']]);
    expect(trials.filter(({ arm }) => arm === 'h3')).toHaveLength(2);
    expect(trials.filter(({ arm, block }) => arm === 'h1' && block > 0)).toHaveLength(3);
  });

  it('ends when no arm is left', async () => {
    const { trials, givenUp } = await run(
      runnerThat(() => 'protocol'),
      50,
    );
    expect(givenUp).toHaveLength(3);
    expect(trials).toHaveLength(6);
  });

  it('ends at a planned look when the intervals are narrow enough, else at the last block', async () => {
    const all = runnerThat(() => null);
    const looks = planDesign({ arms, rounds: 40, seed: 1, gapMs: 0, precisionPercent: 3 }).stopping?.looks;
    const counted = async (precisionPercent: number) =>
      new Set((await run(all, 40, precisionPercent)).trials.map(({ block }) => block)).size - 1;
    expect(await counted(50)).toBe(looks?.[0]?.blocks);
    expect(await counted(0.1)).toBe(40);
  });

  it('keeps the trials that were done when it is cancelled', async () => {
    const { trials } = await run(runnerThat(({ index }) => (index === 4 ? 'cancelled' : null)));
    expect(trials.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
  });
});

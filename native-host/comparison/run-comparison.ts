import type { Arm } from '../../shared/record/arm.ts';
import type { Design } from '../../shared/record/record.ts';
import type { Trial } from '../../shared/record/trial.ts';
import { mayEnd } from '../../shared/stats/may-end.ts';
import { hopelessArms } from './hopeless-arms.ts';
import { judgeBlock } from './judge-block.ts';
import type { TrialPlace } from './assemble-trial.ts';
import type { ComparedPage } from './treatment.ts';

/** What the design needs of the world. */
export interface TrialRunner {
  /**
   * Runs one trial, with the gap before it, and judges it by itself. A failed trial is a trial too: this throws
   * only when no further trial can succeed either.
   * @param last true when no trial is planned after it, so that nothing is made ready for one
   * @returns null when the run was cancelled before the trial was whole
   */
  run(place: TrialPlace, last: boolean): Promise<Trial | null>;
}

export interface ComparisonEvents {
  /** A trial has ended; its block may still overturn the verdict. */
  onTrial(trial: Trial): void;
  /** A block has been judged; these are its trials, final. */
  onBlock(trials: readonly Trial[]): void;
  /** An arm is left out from now on. */
  onArmGivenUp(arm: Arm, reason: string): void;
}

/**
 * Runs the design: block after block, each repeated while one of its arms fails, up to the design's limit. Ends
 * before the last block where the design's stopping plan says so.
 *
 * @param hopeless arms known from the start to be impossible here, with the reason
 * @returns every trial that ran, in order
 */
export async function runComparison(
  design: Design,
  page: ComparedPage,
  runner: TrialRunner,
  events: ComparisonEvents,
  hopeless: ReadonlyMap<Arm, string> = new Map(),
): Promise<Trial[]> {
  const done: Trial[] = [];
  const givenUp = new Map<Arm, string>();
  const giveUp = (arms: ReadonlyMap<Arm, string>): void => {
    for (const [arm, reason] of arms) {
      if (!givenUp.has(arm)) events.onArmGivenUp(arm, reason);
      givenUp.set(arm, reason);
    }
  };
  giveUp(hopeless);

  for (const [block, planned] of design.order.entries()) {
    for (let attempt = 0; attempt <= design.blockRetries; attempt++) {
      const arms = planned.filter((arm) => !givenUp.has(arm));
      const trials: Trial[] = [];
      let cancelled = false;
      for (const arm of arms) {
        const place = {
          index: done.length + trials.length,
          block,
          attempt,
          arm,
          warmup: block < design.warmupBlocks,
        };
        const last = block === design.order.length - 1 && arm === arms.at(-1);
        const trial = await runner.run(place, last);
        if (trial === null) {
          cancelled = true;
          break;
        }
        trials.push(trial);
        events.onTrial(trial);
      }
      const judged = judgeBlock(trials, page);
      done.push(...judged);
      events.onBlock(judged);
      giveUp(hopelessArms(done));
      if (cancelled || givenUp.size === design.arms.length) return done;
      if (judged.every(({ verdict, arm }) => verdict.valid || givenUp.has(arm))) break;
    }
    const left = design.arms.filter((arm) => !givenUp.has(arm));
    if (block >= design.warmupBlocks && mayEnd(design, done, left)) return done;
  }
  return done;
}

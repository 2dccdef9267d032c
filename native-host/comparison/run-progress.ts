import type { Arm } from '../../shared/record/arm.ts';
import type { Narrowing, RunStatus } from '../../shared/messages/run-status.ts';
import { blocksRun } from '../../shared/record/blocks-run.ts';
import { armNames } from '../../shared/record/names.ts';
import type { Design } from '../../shared/record/record.ts';
import type { Trial } from '../../shared/record/trial.ts';
import { median } from '../../shared/stats/quantile.ts';
import { leadingReductions } from '../../shared/stats/reductions.ts';
import { plannedConfidence } from '../../shared/stats/stopping-rule.ts';
import type { EngineEvent } from './engine-protocol.ts';

/** For intervals that are shown while a run goes on, and decide nothing: a few milliseconds' worth. */
const shownResamples = 1_000;

/** Keeps a run's status from what the engine tells. The clock is handed in. */
export class RunProgress {
  readonly #design: Design;
  readonly #nowMs: () => number;
  readonly #givenUp = new Set<Arm>();
  #status: RunStatus;
  #firstStartMs: number | null = null;
  #trials: Trial[] = [];
  #lastBlock = 0;

  constructor(runId: string, url: string, startedAt: string, design: Design, nowMs: () => number) {
    this.#design = design;
    this.#nowMs = nowMs;
    this.#status = {
      runId,
      url,
      arms: design.arms,
      startedAt,
      state: 'preparing',
      activity: 'Starting',
      trialsDone: 0,
      trialsPlanned: design.order.flat().length,
      trialsValid: 0,
      currentArm: null,
      remainingMs: null,
      medians: [],
      narrowing: null,
      error: null,
    };
  }

  get status(): RunStatus {
    return this.#status;
  }

  apply(event: EngineEvent): void {
    switch (event.type) {
      case 'activity':
        this.#set({ state: event.state, activity: event.text, currentArm: null });
        break;
      case 'trial-started':
        this.#firstStartMs ??= this.#nowMs();
        this.#set({ currentArm: event.arm, activity: `Loading the page with ${armNames[event.arm]}` });
        break;
      case 'trial':
        this.#lastBlock = event.trial.block;
        this.#trials.push(event.trial);
        this.#count();
        break;
      case 'block':
        this.#trials = [...this.#trials.slice(0, this.#trials.length - event.trials.length), ...event.trials];
        this.#count();
        this.#set({ narrowing: this.#narrowing() });
        break;
      case 'arm-given-up':
        this.#givenUp.add(event.arm);
        this.#count();
        break;
      case 'ended':
        this.#set({
          state: event.outcome,
          error: event.error,
          currentArm: null,
          remainingMs: null,
          activity: endWords[event.outcome],
        });
        break;
      case 'path':
      case 'http3':
      case 'browser':
      case 'path-after':
        break;
    }
  }

  #set(change: Partial<RunStatus>): void {
    this.#status = { ...this.#status, ...change };
  }

  #count(): void {
    const done = this.#trials.length;
    const ahead = this.#design.order
      .slice(this.#lastBlock + 1)
      .flat()
      .filter((arm) => !this.#givenUp.has(arm));
    const inBlock = (this.#design.order[this.#lastBlock] ?? []).filter(
      (arm) => !this.#givenUp.has(arm),
    ).length;
    const doneInAttempt = this.#trials.filter(({ block, attempt }) => {
      const last = this.#trials.at(-1);
      return block === last?.block && attempt === last.attempt;
    }).length;
    const planned = done + Math.max(0, inBlock - doneInAttempt) + ahead.length;
    const paceMs =
      this.#firstStartMs === null || done === 0 ? null : (this.#nowMs() - this.#firstStartMs) / done;
    this.#set({
      currentArm: null,
      trialsDone: done,
      trialsPlanned: planned,
      trialsValid: this.#trials.filter(({ verdict }) => verdict.valid).length,
      remainingMs: paceMs === null ? null : paceMs * (planned - done),
      medians: this.#medians(),
    });
  }

  #narrowing(): Narrowing | null {
    const { stopping, seed, arms } = this.#design;
    const confidence = plannedConfidence(stopping, blocksRun(this.#trials));
    const left = arms.filter((arm) => !this.#givenUp.has(arm));
    const leading = leadingReductions(this.#trials, left, { confidence, resamples: shownResamples, seed });
    const pairs = leading.pairs.flatMap(({ baseline, variant, reductionPercent }) => {
      const { value, low, high } = reductionPercent ?? { value: 0, low: null, high: null };
      return low === null || high === null ? [] : [{ baseline, variant, value, low, high }];
    });
    if (pairs.length === 0) return null;
    const widest = Math.max(...pairs.map(({ low, high }) => (high - low) / 2));
    return {
      metric: leading.metric,
      confidence,
      precisionPercent: stopping?.precisionPercent ?? null,
      pairs,
      halfWidthsPercent: [...(this.#status.narrowing?.halfWidthsPercent ?? []), widest],
    };
  }

  #medians(): RunStatus['medians'] {
    return this.#design.arms.flatMap((arm) => {
      const valid = this.#trials.filter((trial) => trial.arm === arm && trial.verdict.valid && !trial.warmup);
      if (valid.length === 0) return [];
      const medianOf = (values: (number | null | undefined)[]): number | null => {
        const known = values.filter((value) => value != null);
        return known.length === 0 ? null : median(known);
      };
      return [
        {
          arm,
          valid: valid.length,
          timeOnWireMs: medianOf(valid.map(({ wire }) => wire?.timeOnWireMs.value)),
          loadTimeMs: medianOf(valid.map(({ loadTimeMs }) => loadTimeMs)),
        },
      ];
    });
  }
}

const endWords = { complete: 'Done', cancelled: 'Cancelled', failed: 'Failed' };

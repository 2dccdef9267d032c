import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Arm } from '../../shared/record/arm.ts';
import type { Trial } from '../../shared/record/trial.ts';
import { reportOf, TowlineError } from '../../shared/errors/towline-error.ts';
import type { NetworkPath, TrialNamespace } from '../network/network-path.ts';
import { assembleTrial, type TrialPlace, type TrialSetting } from './assemble-trial.ts';
import type { TrialRunner } from './run-comparison.ts';
import type { TrialObservation } from './trial-observation.ts';
import { failedObservation } from './failed-observation.ts';
import { TrialProcess } from './trial-process.ts';
import type { TrialRequest } from './trial-request.ts';

export interface PipelineOptions {
  path: NetworkPath;
  setting: TrialSetting;
  gapMs: number;
  scratchDirectory: string;
  loadTimeoutMs: number;
  /** The argument array that runs a trial worker inside a namespace. */
  workerCommand: (namespace: TrialNamespace) => readonly string[];
  /** What every trial of this comparison asks alike, completed for one. */
  requestFor: (place: TrialPlace, namespace: TrialNamespace, scratchDirectory: string) => TrialRequest;
  onStart: (place: TrialPlace) => void;
}

/** A namespace with a worker in it that has not been told its trial yet. */
interface Berth {
  namespace: TrialNamespace;
  process: TrialProcess;
  pathMs: number;
}

/**
 * Runs trials one after another, each in a namespace, process and profile of its own. While one trial waits
 * for its page to fall quiet, the next one's namespace and worker process (not its browser) are made ready.
 */
export class TrialPipeline implements TrialRunner {
  readonly #options: PipelineOptions;
  #berth: Promise<Berth> | null = null;
  #running: TrialProcess | null = null;
  #lastEndMs: number | null = null;
  readonly #removals: Promise<void>[] = [];
  readonly #cancel = new AbortController();

  constructor(options: PipelineOptions) {
    this.#options = options;
  }

  async run(place: TrialPlace, last: boolean): Promise<Trial | null> {
    if (this.#isCancelled()) return null;
    const startMs = performance.now();
    const berth = await (this.#berth ?? this.#makeBerth());
    this.#berth = null;
    this.#running = berth.process;
    const workerMs = performance.now() - startMs;
    const scratch = join(this.#options.scratchDirectory, `trial-${place.index}`);
    await mkdir(scratch, { recursive: true });
    try {
      const observation = await this.#observe(place, berth, scratch, last);
      if (this.#isCancelled()) return null;
      const closeStartMs = performance.now();
      await berth.process.stop();
      await berth.namespace.close();
      if (observation.error?.code === 'own-browser-lost') throw TowlineError.fromReport(observation.error);
      const cost = { pathMs: berth.pathMs, workerMs, closeMs: performance.now() - closeStartMs };
      return assembleTrial(place, this.#options.setting, observation, cost);
    } finally {
      this.#running = null;
      this.#lastEndMs = performance.now();
      await berth.process.stop();
      await berth.namespace.close();
      this.#remove(scratch);
    }
  }

  /** One unjudged load with nothing kept: for discovery. */
  async scout(arm: Arm): Promise<TrialObservation> {
    const berth = await this.#makeBerth();
    const scratch = join(this.#options.scratchDirectory, 'scout');
    await mkdir(scratch, { recursive: true });
    const place = { index: 0, block: 0, attempt: 0, arm, warmup: true };
    this.#running = berth.process;
    try {
      const request = this.#options.requestFor(place, berth.namespace, scratch);
      await berth.process.prepare({
        ...request,
        capture: null,
        harFile: null,
        pcapFile: null,
        keyLogFile: null,
      });
      return await berth.process.observe(this.#options.loadTimeoutMs, () => undefined);
    } finally {
      this.#running = null;
      await berth.process.stop();
      await berth.namespace.close();
      this.#remove(scratch);
    }
  }

  /** Ends the trial that is running; `run` then gives null. */
  cancel(): void {
    this.#cancel.abort();
    this.#running?.kill();
  }

  /** A method, since what a signal says changes while something is awaited. */
  #isCancelled(): boolean {
    return this.#cancel.signal.aborted;
  }

  async close(): Promise<void> {
    const berth = await this.#berth?.catch(() => null);
    await berth?.process.stop();
    await berth?.namespace.close();
    await Promise.allSettled(this.#removals);
  }

  /** The browser may still write while it dies, so this takes a few tries, and nobody waits for it. */
  #remove(directory: string): void {
    this.#removals.push(rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 10 }));
    this.#removals.at(-1)?.catch(() => undefined);
  }

  async #observe(place: TrialPlace, berth: Berth, scratch: string, last: boolean): Promise<TrialObservation> {
    const { requestFor, loadTimeoutMs, onStart } = this.#options;
    try {
      await berth.process.prepare(requestFor(place, berth.namespace, scratch));
      await this.#waitOutGap();
      onStart(place);
      return await berth.process.observe(loadTimeoutMs, () => {
        if (!last) this.#prepareNext();
      });
    } catch (error) {
      return failedObservation(reportOf(error, 'trial'));
    }
  }

  #prepareNext(): void {
    this.#berth = this.#makeBerth();
    // A failure is met by the trial that needs it; without this it would end the process first.
    this.#berth.catch(() => undefined);
  }

  async #waitOutGap(): Promise<void> {
    if (this.#lastEndMs === null) return;
    const leftMs = this.#lastEndMs + this.#options.gapMs - performance.now();
    if (leftMs > 0) await delay(leftMs, undefined, { signal: this.#cancel.signal }).catch(() => undefined);
  }

  async #makeBerth(): Promise<Berth> {
    const startMs = performance.now();
    const namespace = await this.#options.path.openTrial();
    const pathMs = performance.now() - startMs;
    return { namespace, process: new TrialProcess(this.#options.workerCommand(namespace)), pathMs };
  }
}

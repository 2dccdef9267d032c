import { reportOf, TowlineError } from '../../shared/errors/towline-error.ts';
import type { ErrorReport } from '../../shared/errors/towline-error.ts';
import { hasEnded, type TrackedRun } from '../../shared/messages/extension-messages.ts';
import type { RunStatus } from '../../shared/messages/run-status.ts';
import { readRecord } from '../../shared/record/read-record.ts';
import type { ComparisonRecord } from '../../shared/record/record.ts';
import type { HostPort } from './host-port.ts';

export interface RunTrackerDependencies {
  host: Pick<HostPort, 'ask' | 'fetchRecord'>;
  saved: { load(): Promise<TrackedRun[]>; save(runs: readonly TrackedRun[]): Promise<void> };
  store: { save(record: ComparisonRecord): Promise<void> };
}

/**
 * Follows runs from the host's first word to the stored record. Each run's place is kept in the session
 * store at every change, so that a background ended and woken in between carries on; the host's own list
 * is the truth about what goes on ({@link reconcile}).
 */
export class RunTracker {
  /** Set by the owner: {@link runs} changed. */
  onChange: () => void = () => undefined;

  readonly #dependencies: RunTrackerDependencies;
  readonly #fetching = new Map<string, Promise<void>>();
  #runs: TrackedRun[] = [];

  constructor(dependencies: RunTrackerDependencies) {
    this.#dependencies = dependencies;
  }

  /** Newest first. */
  get runs(): readonly TrackedRun[] {
    return this.#runs;
  }

  /** True while the host is still needed for a run: to go on, or to hand over its record. */
  get hasOpenRuns(): boolean {
    return this.#runs.some((run) => !hasEnded(run.status) || needsFetch(run));
  }

  /** Takes up what an earlier life of the background had saved. */
  async restore(): Promise<void> {
    this.#runs = await this.#dependencies.saved.load();
    this.onChange();
  }

  /** A run's status, as the host tells it. */
  update(status: RunStatus): void {
    const known = this.#find(status.runId);
    this.#put({ recordId: null, fetchError: null, ...known, status });
    void this.#fetchIfDone(status.runId);
  }

  /**
   * Compares with the host's whole list: unknown runs are taken up, ended ones fetched, and a run that the
   * host no longer knows is marked as lost.
   */
  async reconcile(): Promise<void> {
    const answer = await this.#dependencies.host.ask({ type: 'status' });
    if (answer.type !== 'runs') return;
    for (const status of answer.runs) this.update(status);
    const listed = new Set(answer.runs.map((run) => run.runId));
    for (const run of this.#runs) {
      if (!listed.has(run.status.runId) && !hasEnded(run.status)) {
        this.#put({ ...run, status: { ...run.status, state: 'failed', error: lostRun() } });
      }
    }
    await Promise.all(this.#fetching.values());
  }

  /** Forgets an ended run here and in the host; its stored record stays. */
  async dismiss(runId: string): Promise<void> {
    const run = this.#find(runId);
    if (!run || !hasEnded(run.status)) return;
    this.#runs = this.#runs.filter((other) => other !== run);
    this.#changed();
    if (run.recordId === null) await this.#dependencies.host.ask({ type: 'release', runId });
  }

  async #fetchIfDone(runId: string): Promise<void> {
    const run = this.#find(runId);
    if (!run || !needsFetch(run) || this.#fetching.has(runId)) return;
    const fetching = this.#fetch(runId).finally(() => this.#fetching.delete(runId));
    this.#fetching.set(runId, fetching);
    await fetching;
  }

  /** Fetch, check, store, and only then let the host forget it. */
  async #fetch(runId: string): Promise<void> {
    const { host, store } = this.#dependencies;
    let recordId: string | null = null;
    let fetchError: ErrorReport | null = null;
    try {
      const record = readRecord(await host.fetchRecord(runId), runId);
      await store.save(record);
      recordId = record.id;
      await host.ask({ type: 'release', runId });
    } catch (thrown) {
      // Once stored, a release that failed costs nothing: the same record is stored again on the next wake.
      if (recordId === null) fetchError = reportOf(thrown, 'record');
    }
    const run = this.#find(runId);
    if (run) this.#put({ ...run, recordId, fetchError });
  }

  #find(runId: string): TrackedRun | undefined {
    return this.#runs.find((run) => run.status.runId === runId);
  }

  #put(run: TrackedRun): void {
    const others = this.#runs.filter((other) => other.status.runId !== run.status.runId);
    this.#runs = [run, ...others].sort((a, b) => b.status.startedAt.localeCompare(a.status.startedAt));
    this.#changed();
  }

  #changed(): void {
    void this.#dependencies.saved.save(this.#runs);
    this.onChange();
  }
}

/** Cancelled and failed runs have a record too, with the trials they finished. */
function needsFetch(run: TrackedRun): boolean {
  return hasEnded(run.status) && run.recordId === null && run.fetchError === null;
}

function lostRun(): ErrorReport {
  return new TowlineError('run-lost', 'comparison', 'The host no longer knows this run.', {
    remedy: 'Compare the page again.',
  }).toReport();
}

import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { TowlineError } from '../../shared/errors/towline-error.ts';
import type { OwnAnswer, OwnCall } from '../../shared/messages/own-browser.ts';
import type { RunStatus } from '../../shared/messages/run-status.ts';
import type { CompareRequest, HostRuns } from '../messaging/host-runs.ts';
import { compareArguments } from './compare-arguments.ts';
import { currentStatus } from './current-status.ts';
import { isFinished } from './is-finished.ts';
import { OwnCallRelay } from './own-call-relay.ts';
import { RunDirectory } from './run-directory.ts';
import { runsDirectory } from './state-directory.ts';
import { watchRun } from './watch-run.ts';

export interface RunKeeperOptions {
  /** Starts the command line; the arguments of `compare` are put behind it. */
  command: readonly [program: string, ...args: string[]];
  /** The browser that is served: see {@link RunOwner}. */
  client: string;
  /** The browser's own process. */
  browserPid: number;
  /** A run of this browser has changed. */
  onStatus: (status: RunStatus) => void;
  /** A run in this very browser asks for a step of a trial, answered by {@link RunKeeper.answerOwnCall}. */
  onOwnCall: (runId: string, callId: string, call: OwnCall) => void;
  /** What such a run has begun is to be broken off. */
  onOwnStop: (runId: string) => void;
  /** One line for the host's log. */
  log: (line: string) => void;
  /** Holds the directories of all runs; the person's own by default. */
  root?: string;
}

/**
 * The runs of one browser. Each is a process of the command line in a session of its own, so that it goes on
 * when the browser ends this host together with the extension's worker; what is known of it stands in its
 * {@link RunDirectory}, where the next host finds it.
 */
export class RunKeeper implements HostRuns {
  readonly #options: RunKeeperOptions;
  readonly #root: string;
  readonly #watches = new Map<string, () => void>();
  readonly #relays = new Map<string, OwnCallRelay>();

  constructor(options: RunKeeperOptions) {
    this.#options = options;
    this.#root = options.root ?? runsDirectory();
  }

  async start(request: CompareRequest): Promise<RunStatus> {
    const { client } = this.#options;
    const run = await RunDirectory.create(randomUUID(), { root: this.#root, client });
    try {
      const status = firstStatus(run.runId, request, new Date());
      await run.writeStatus(status);
      // Only now: of two hosts that begin at the same moment, at least one sees the other.
      await this.#refuseIfBusy(run.runId);
      const child = await this.#spawn(run, request);
      await run.writeOwner(child.pid ?? 0, client);
      return status;
    } catch (error) {
      await run.remove();
      throw error;
    }
  }

  async list(): Promise<RunStatus[]> {
    const statuses: RunStatus[] = [];
    for (const run of await this.#ownRuns()) {
      const status = await this.#readable(() => currentStatus(run));
      if (status) statuses.push(status);
    }
    return statuses.sort((a, b) => a.startedAt.localeCompare(b.startedAt));
  }

  async cancel(runId: string): Promise<void> {
    const run = await this.#open(runId);
    const status = await currentStatus(run);
    if (status && isFinished(status)) return;
    // The pid is known to be of this very run: isAlive compares the start of the process too.
    const owner = await run.readOwner();
    if (owner && owner.pid !== process.pid && (await run.isAlive())) process.kill(owner.pid, 'SIGINT');
  }

  async recordText(runId: string): Promise<string> {
    const run = await this.#open(runId);
    const text = await run.readRecordText();
    if (text !== null) return text;
    throw new TowlineError('unknown-run', 'messaging', `The run ${runId} has no record.`, {
      remedy: 'It has one once its first trial is done.',
    });
  }

  async release(runId: string): Promise<void> {
    const run = await this.#open(runId);
    const status = await this.#readable(() => currentStatus(run));
    if (status && !isFinished(status)) {
      throw new TowlineError('host-busy', 'messaging', `The run ${runId} goes on.`, {
        remedy: 'Cancel it first, or wait for its end.',
      });
    }
    this.#endWatch(runId);
    await run.remove();
  }

  async answerOwnCall(runId: string, callId: string, answer: OwnAnswer): Promise<void> {
    await this.#open(runId);
    await this.#relays.get(runId)?.answer(callId, answer);
  }

  async watch(): Promise<void> {
    for (const run of await this.#ownRuns()) {
      if (this.#watches.has(run.runId)) continue;
      const status = await this.#readable(() => currentStatus(run));
      if (status === null || isFinished(status)) continue;
      const endWatch = watchRun(run, {
        onStatus: (changed) => {
          if (isFinished(changed)) this.#endRelay(run.runId);
          this.#options.onStatus(changed);
        },
        onError: (error) => {
          this.#note(error);
        },
      });
      this.#watches.set(run.runId, endWatch);
      this.#relays.set(run.runId, this.#relayOf(run));
    }
  }

  /** Ends all watches. The runs go on. */
  close(): void {
    for (const runId of [...this.#watches.keys()]) this.#endWatch(runId);
  }

  #endWatch(runId: string): void {
    this.#watches.get(runId)?.();
    this.#watches.delete(runId);
    this.#endRelay(runId);
  }

  #endRelay(runId: string): void {
    this.#relays.get(runId)?.close();
    this.#relays.delete(runId);
  }

  #relayOf({ runId, path }: RunDirectory): OwnCallRelay {
    const { browserPid, onOwnCall, onOwnStop } = this.#options;
    return new OwnCallRelay(path, browserPid, {
      onCall: (callId, call) => {
        onOwnCall(runId, callId, call);
      },
      onStop: () => {
        onOwnStop(runId);
      },
      onError: (error) => {
        this.#note(error);
      },
    });
  }

  async #open(runId: string): Promise<RunDirectory> {
    const run = await RunDirectory.open(runId, this.#root);
    if (await this.#isOwn(run)) return run;
    throw new TowlineError('unknown-run', 'messaging', `This browser has no run ${runId}.`);
  }

  async #ownRuns(): Promise<RunDirectory[]> {
    const own: RunDirectory[] = [];
    for (const run of await RunDirectory.list(this.#root)) if (await this.#isOwn(run)) own.push(run);
    return own;
  }

  async #isOwn(run: RunDirectory): Promise<boolean> {
    return (await this.#readable(() => run.readOwner()))?.client === this.#options.client;
  }

  /** Two comparisons at once would measure each other. */
  async #refuseIfBusy(ownRunId: string): Promise<void> {
    for (const run of await RunDirectory.list(this.#root)) {
      if (run.runId === ownRunId) continue;
      const alive = await this.#readable(() => run.isAlive());
      const status = await this.#readable(() => run.readStatus());
      if (!alive || (status && isFinished(status))) continue;
      throw new TowlineError('host-busy', 'messaging', 'Another comparison is going on.', {
        remedy: 'Wait for its end or cancel it: two at once would disturb each other.',
      });
    }
  }

  /** What lies damaged in one run's directory is no reason to refuse the others. */
  async #readable<T>(read: () => Promise<T>): Promise<T | null> {
    try {
      return await read();
    } catch (error) {
      this.#note(error);
      return null;
    }
  }

  #note(error: unknown): void {
    this.#options.log(error instanceof Error ? error.message : String(error));
  }

  async #spawn(run: RunDirectory, request: CompareRequest): Promise<ChildProcess> {
    const { command, browserPid } = this.#options;
    const [program, ...args] = command;
    const log = await open(run.logPath, 'a', 0o600);
    try {
      const child = spawn(program, [...args, ...compareArguments(request, run.runId, browserPid)], {
        cwd: '/',
        detached: true,
        stdio: ['ignore', log.fd, log.fd],
      });
      await once(child, 'spawn');
      child.unref();
      return child;
    } catch (cause) {
      throw new TowlineError('internal', 'messaging', `${program} could not be started.`, {
        remedy: 'Run "towline install" again: Node may have moved.',
        cause,
      });
    } finally {
      await log.close();
    }
  }
}

/** What is known before the run's own process says anything. */
function firstStatus(runId: string, { url, arms }: CompareRequest, startedAt: Date): RunStatus {
  return {
    runId,
    url,
    arms,
    startedAt: startedAt.toISOString(),
    state: 'preparing',
    activity: 'Starting',
    trialsDone: 0,
    trialsPlanned: 0,
    trialsValid: 0,
    currentArm: null,
    remainingMs: null,
    medians: [],
    narrowing: null,
    error: null,
  };
}

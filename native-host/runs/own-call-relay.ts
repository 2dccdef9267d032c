import type { OwnAnswer, OwnCall } from '../../shared/messages/own-browser.ts';
import { OwnCallFiles } from './own-call-files.ts';
import { identityOf, isRunning, type ProcessIdentity } from './process-identity.ts';
import { watchDirectory } from './watch-directory.ts';

/** How often it is looked for a call, where the kernel does not tell of one. */
const lookEveryMs = 2000;
/** How often it is looked, during a trial, whether its process is still there. */
const lookInTrialEveryMs = 250;

export interface OwnCallEvents {
  /** To be handed to the browser; its answer goes to {@link OwnCallRelay.answer}. */
  onCall(callId: string, call: OwnCall): void;
  /** The trial has ended before its last step. */
  onStop(): void;
  /** The files are not what was agreed, or cannot be written. */
  onError(error: unknown): void;
}

/**
 * The host's end of {@link askOwnBrowser}: hands each call of one run to the browser that the host serves, once, and
 * tells it to stop when the process that asked ends before it has taken its last step.
 */
export class OwnCallRelay {
  readonly #files: OwnCallFiles;
  readonly #browserPid: number;
  readonly #events: OwnCallEvents;
  readonly #endWatch: () => void;
  #inTrial: NodeJS.Timeout | null = null;
  #turn: Promise<void> = Promise.resolve();
  #asked = false;
  #closed = false;
  /** The call handed over last. */
  #handed: { callId: string; verb: OwnCall['verb']; worker: ProcessIdentity } | null = null;

  /** @param directory the run's */
  constructor(directory: string, browserPid: number, events: OwnCallEvents) {
    this.#files = new OwnCallFiles(directory);
    this.#browserPid = browserPid;
    this.#events = events;
    this.#endWatch = watchDirectory(
      directory,
      () => {
        this.#lookSoon();
      },
      lookEveryMs,
    );
    this.#lookSoon();
  }

  /** What the browser has answered. An answer to another call than the last one is late, and left out. */
  async answer(callId: string, answer: OwnAnswer): Promise<void> {
    const handed = this.#handed;
    if (handed?.callId !== callId) return;
    // A page that did not load has its last step still before it.
    if (handed.verb === 'finish' || (handed.verb === 'begin' && answer.type === 'failed')) this.#endTrial();
    await this.#files.write('answer', { callId, answer });
  }

  /** Ends the relay; what goes on in the browser is told to stop. */
  close(): void {
    this.#closed = true;
    this.#endWatch();
    this.#stop();
  }

  /** One look at a time; what changes during one is seen by one more after it. */
  #lookSoon(): void {
    if (this.#asked) return;
    this.#asked = true;
    this.#turn = this.#turn
      .then(() => {
        this.#asked = false;
        return this.#look();
      })
      .catch((error: unknown) => {
        this.#events.onError(error);
      });
  }

  async #look(): Promise<void> {
    if (this.#handed !== null && !(await isRunning(this.#handed.worker))) this.#stop();
    const asked = await this.#files.read('call');
    if (asked?.browserPid !== this.#browserPid || !(await isRunning(asked.worker))) return;
    const { callId, call, worker } = asked;
    if ((await this.#files.read('taken'))?.callId === callId) return;
    const host = await identityOf(process.pid);
    if (host === null || this.#closed) return;
    await this.#files.write('taken', { callId, host });
    this.#handed = { callId, verb: call.verb, worker };
    this.#inTrial ??= setInterval(() => {
      this.#lookSoon();
    }, lookInTrialEveryMs);
    this.#events.onCall(callId, call);
  }

  #stop(): void {
    if (this.#handed === null) return;
    this.#endTrial();
    this.#events.onStop();
  }

  #endTrial(): void {
    this.#handed = null;
    if (this.#inTrial !== null) clearInterval(this.#inTrial);
    this.#inTrial = null;
  }
}

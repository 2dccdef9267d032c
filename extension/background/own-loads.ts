import { reportOf, TowlineError } from '../../shared/errors/towline-error.ts';
import type { OwnAnswer, OwnCall, OwnStep } from '../../shared/messages/own-browser.ts';
import type { MeasuredLoading } from '../platform/live-negotiation.ts';
import type { RunTab } from '../platform/run-tab.ts';

/** An answer of this many characters would not pass the port to the host, which takes 1 MiB. */
const maxAnswerChars = 900_000;

export interface OwnLoadsDependencies {
  /** Null where this browser lets no extension choose the protocol. */
  loading: MeasuredLoading | null;
  tab: RunTab;
}

/**
 * Does what a run in this very browser asks for, step by step: only for the run that the person has asked for here
 * ({@link allow}), in a tab of the run's own, which goes with the run.
 */
export class OwnLoads {
  readonly #loading: MeasuredLoading | null;
  readonly #tab: RunTab;
  #runId: string | null = null;
  #tabId: number | null = null;

  constructor({ loading, tab }: OwnLoadsDependencies) {
    this.#loading = loading;
    this.#tab = tab;
  }

  /** The person has asked for this run, knowing what it does to their browser. */
  allow(runId: string): void {
    this.#runId = runId;
  }

  /** Takes one step. What goes wrong is an answer too. */
  async answer(runId: string, call: OwnCall): Promise<OwnAnswer> {
    try {
      if (this.#loading === null || runId !== this.#runId) throw notAsked();
      const answer = await this.#answer(this.#loading, call);
      if (JSON.stringify(answer).length > maxAnswerChars) throw tooLong();
      return answer;
    } catch (error) {
      return { type: 'failed', error: reportOf(error, 'browser') };
    }
  }

  /** Breaks off what this run has begun, and puts everything back. */
  async stop(runId: string): Promise<void> {
    if (runId === this.#runId) await this.#loading?.stop();
  }

  /** Nothing more is done for a run; without an id for any. The tab goes with it. */
  async end(runId: string | null = this.#runId): Promise<void> {
    if (runId === null || runId !== this.#runId) return;
    const tabId = this.#tabId;
    this.#runId = null;
    this.#tabId = null;
    await this.#loading?.stop();
    if (tabId !== null) await this.#tab.close(tabId);
  }

  async #answer(loading: MeasuredLoading, call: OwnCall): Promise<OwnAnswer> {
    switch (call.verb) {
      case 'begin':
        await this.#bringTab();
        return withoutLoad(await loading.begin(call.arm, call.http3Origins));
      case 'load': {
        const tabId = this.#openTab();
        const step = await loading.measure(tabId, call.url, call.timeoutMs);
        if (step.type !== 'loaded') return withoutLoad(step);
        return { type: 'loaded', navigation: await this.#tab.navigation(tabId) };
      }
      case 'finish': {
        const step = await loading.finish();
        // What the page would go on with is no part of the next load.
        if (this.#tabId !== null) await this.#tab.empty(this.#tabId);
        return withoutLoad(step);
      }
    }
  }

  async #bringTab(): Promise<void> {
    if (this.#tabId === null) {
      this.#tabId = await this.#tab.open();
      return;
    }
    await this.#tab.show(this.#tabId).catch(() => {
      throw closed();
    });
  }

  #openTab(): number {
    if (this.#tabId === null) throw closed();
    return this.#tabId;
  }
}

function withoutLoad(step: OwnStep): OwnAnswer {
  return step.type === 'loaded' ? { type: 'loaded', navigation: null } : step;
}

function notAsked(): TowlineError {
  return new TowlineError('own-browser-lost', 'browser', 'Nobody has asked for this run in this browser.', {
    remedy: 'Compare the page again.',
  });
}

function closed(): TowlineError {
  return new TowlineError('own-browser-lost', 'browser', "The comparison's tab was closed.", {
    remedy: 'Leave it open until the comparison has ended; the popup stops it.',
  });
}

function tooLong(): TowlineError {
  return new TowlineError('message-too-large', 'browser', 'The page made too many requests to be told of.', {
    remedy: 'Compare it in a browser of its own.',
  });
}

import type { HostRequest } from '../../shared/messages/host-protocol.ts';
import type { OwnAnswer } from '../../shared/messages/own-browser.ts';
import type { RunStatus } from '../../shared/messages/run-status.ts';

export type CompareRequest = Extract<HostRequest, { type: 'compare' }>;

/** What the port needs of the runs: those of the browser that it serves, and no others. */
export interface HostRuns {
  /** Starts a comparison. @throws TowlineError `host-busy` when one is going on */
  start(request: CompareRequest): Promise<RunStatus>;
  /** Those going on, and those done that were not yet released. */
  list(): Promise<RunStatus[]>;
  /** Asks a run to end after what is done; it then tells of its end itself. @throws TowlineError `unknown-run` */
  cancel(runId: string): Promise<void>;
  /** JSON of the record as far as it is. @throws TowlineError `unknown-run` */
  recordText(runId: string): Promise<string>;
  /** Forgets a run that has ended. @throws TowlineError `unknown-run`, `host-busy` when it has not */
  release(runId: string): Promise<void>;
  /** What the browser made of a step that a run in it has asked for. @throws TowlineError `unknown-run` */
  answerOwnCall(runId: string, callId: string, answer: OwnAnswer): Promise<void>;
  /** Has every later change of a run that goes on told, until the host ends; called again for new runs. */
  watch(): Promise<void>;
}

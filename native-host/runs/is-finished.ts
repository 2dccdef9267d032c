import type { RunStatus } from '../../shared/messages/run-status.ts';

/** Whether a run has come to its end, well or badly: no later status follows. */
export function isFinished({ state }: RunStatus): boolean {
  return state === 'complete' || state === 'cancelled' || state === 'failed';
}

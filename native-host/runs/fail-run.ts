import type { ErrorReport } from '../../shared/errors/towline-error.ts';
import type { RunStatus } from '../../shared/messages/run-status.ts';
import { isFinished } from './is-finished.ts';
import type { RunDirectory } from './run-directory.ts';

/**
 * Marks a run as failed, for whoever waits for it: in its record, if there is one that says it goes on, and then
 * in its status. The trials that were finished stay in the record. One that has ended stays as it is.
 *
 * @returns null while the run has not written any status
 */
export async function failRun(run: RunDirectory, error: ErrorReport): Promise<RunStatus | null> {
  const status = await run.readStatus();
  if (status === null || isFinished(status)) return status;
  const record = await run.readRecord();
  if (record?.outcome === 'running') await run.writeRecord({ ...record, outcome: 'failed', error });
  const failed: RunStatus = {
    ...status,
    state: 'failed',
    activity: 'The run has ended without finishing.',
    currentArm: null,
    remainingMs: null,
    error,
  };
  await run.writeStatus(failed);
  return failed;
}

import { hasEnded, type TrackedRun } from '../../shared/messages/extension-messages.ts';

/** What the toolbar button says about the newest run: "7/15" while it goes on, then a mark. */
export function badgeText(runs: readonly TrackedRun[]): string {
  const newest = runs[0];
  if (!newest) return '';
  const { status, recordId, fetchError } = newest;
  if (!hasEnded(status)) {
    // The badge holds about four characters; three digits leave the total out.
    const whole = `${status.trialsDone}/${status.trialsPlanned}`;
    return whole.length <= 5 ? whole : `${status.trialsDone}`;
  }
  if (status.state === 'cancelled') return '';
  if (status.state === 'failed' || fetchError !== null) return '!';
  return recordId === null ? '…' : '✓';
}

import { expect, it } from 'vitest';
import { badgeText } from '../../../../extension/background/badge-text.ts';
import { makeRun } from './make-run.ts';

it.each([
  ['nothing without a run', [], ''],
  ['how far a run is', [makeRun()], '7/15'],
  ['only what is done, where both would not fit', [makeRun({ trialsDone: 104, trialsPlanned: 603 })], '104'],
  ['that the record is on its way', [makeRun({ state: 'complete' })], '…'],
  ['a tick once it is stored', [makeRun({ state: 'complete' }, { recordId: 'r' })], '✓'],
  ['a mark when it failed', [makeRun({ state: 'failed' })], '!'],
  ['nothing when it was stopped', [makeRun({ state: 'cancelled' })], ''],
] as const)('shows %s', (_, runs, text) => {
  expect(badgeText(runs)).toBe(text);
});

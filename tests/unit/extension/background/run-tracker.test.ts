import { describe, expect, it } from 'vitest';
import { RunTracker } from '../../../../extension/background/run-tracker.ts';
import type { HostQuestion } from '../../../../extension/background/host-port.ts';
import { TowlineError } from '../../../../shared/errors/towline-error.ts';
import type { TrackedRun } from '../../../../shared/messages/extension-messages.ts';
import type { RunStatus } from '../../../../shared/messages/run-status.ts';
import { makeRecord } from '../../../fixtures/record/make-record.ts';
import { makeRun, makeStatus } from './make-run.ts';

const record = makeRecord();

/** A tracker over a host that knows `runs`; `deeds` lists what was done, in order. */
function setUp({ runs = [] as RunStatus[], saved = [] as TrackedRun[], text = JSON.stringify(record) } = {}) {
  const deeds: string[] = [];
  let session = saved;
  const tracker = new RunTracker({
    host: {
      ask: (question: HostQuestion) => {
        deeds.push(question.type);
        return Promise.resolve(
          question.type === 'status'
            ? { type: 'runs', requestId: 'x', runs }
            : { type: 'done', requestId: 'x' },
        );
      },
      fetchRecord: () => {
        deeds.push('fetch');
        return Promise.resolve(text);
      },
    },
    saved: {
      load: () => Promise.resolve(session),
      save: (changed) => {
        session = [...changed];
        return Promise.resolve();
      },
    },
    store: {
      save: ({ id }) => {
        deeds.push(`store ${id}`);
        return Promise.resolve();
      },
    },
  });
  return { tracker, deeds, session: () => session };
}

describe('RunTracker', () => {
  it('stores the record of an ended run before the host may forget it', async () => {
    const { tracker, deeds } = setUp({ runs: [makeStatus({ state: 'complete' })] });
    await tracker.reconcile();
    expect(deeds).toEqual(['status', 'fetch', `store ${record.id}`, 'release']);
    expect(tracker.runs).toMatchObject([{ recordId: record.id, fetchError: null }]);
    expect(tracker.hasOpenRuns).toBe(false);
  });

  it('fetches a record once, however often the end is told', async () => {
    const ended = makeStatus({ state: 'complete' });
    const { tracker, deeds } = setUp({ runs: [ended] });
    tracker.update(ended);
    tracker.update(ended);
    await tracker.reconcile();
    expect(deeds.filter((deed) => deed === 'fetch')).toHaveLength(1);
  });

  it('carries on after the background was ended in mid-run', async () => {
    const before = setUp();
    before.tracker.update(makeStatus());
    const after = setUp({ saved: before.session(), runs: [makeStatus({ state: 'complete' })] });
    await after.tracker.restore();
    expect(after.tracker.hasOpenRuns).toBe(true);
    await after.tracker.reconcile();
    expect(after.tracker.runs).toMatchObject([{ recordId: record.id }]);
  });

  it('marks a run that the host no longer knows as lost', async () => {
    const { tracker } = setUp({ saved: [makeRun()] });
    await tracker.restore();
    await tracker.reconcile();
    expect(tracker.runs).toMatchObject([{ status: { state: 'failed', error: { code: 'run-lost' } } }]);
  });

  it('takes up a run that was started elsewhere', async () => {
    const { tracker } = setUp({ runs: [makeStatus({ runId: 'other' })] });
    await tracker.reconcile();
    expect(tracker.runs).toMatchObject([{ status: { runId: 'other' } }]);
    expect(tracker.hasOpenRuns).toBe(true);
  });

  it('stores nothing of a damaged record, does not release it, and says so', async () => {
    const { tracker, deeds } = setUp({ runs: [makeStatus({ state: 'complete' })], text: '{"format":' });
    await tracker.reconcile();
    expect(deeds).toEqual(['status', 'fetch']);
    expect(tracker.runs).toMatchObject([{ recordId: null, fetchError: { code: 'bad-record' } }]);
  });

  it('keeps a stored record when the host could not be told to forget it', async () => {
    const failing = new RunTracker({
      host: {
        ask: () => Promise.reject(new TowlineError('internal', 'messaging', 'gone')),
        fetchRecord: () => Promise.resolve(JSON.stringify(record)),
      },
      saved: { load: () => Promise.resolve([]), save: () => Promise.resolve() },
      store: { save: () => Promise.resolve() },
    });
    const stored = new Promise<void>((resolve) => {
      failing.onChange = () => {
        if (failing.runs[0]?.recordId === record.id) resolve();
      };
    });
    failing.update(makeStatus({ state: 'complete' }));
    await stored;
    expect(failing.runs).toMatchObject([{ recordId: record.id, fetchError: null }]);
  });

  it('dismisses what has ended, never what goes on', async () => {
    const { tracker } = setUp({ saved: [makeRun(), makeRun({ runId: 'done', state: 'failed' })] });
    await tracker.restore();
    await tracker.dismiss('run-1');
    await tracker.dismiss('done');
    expect(tracker.runs.map(({ status }) => status.runId)).toEqual(['run-1']);
  });
});

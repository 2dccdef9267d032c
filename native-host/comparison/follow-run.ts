import type { ErrorReport } from '../../shared/errors/towline-error.ts';
import { reportOf, TowlineError } from '../../shared/errors/towline-error.ts';
import type { RunStatus } from '../../shared/messages/run-status.ts';
import type { ComparisonRecord } from '../../shared/record/record.ts';
import { finalResamples } from '../../shared/stats/resamples.ts';
import type { EngineEvent } from './engine-protocol.ts';
import type { RecordBuilder } from './record-builder.ts';
import type { RunProgress } from './run-progress.ts';

/** The statistics of a record that is still growing are only a first look, and must not disturb the next trial. */
const interimResamples = 200;

/** At most this share of a run's time goes into writing the growing record: a long one is written less often. */
const maxWritingShare = 0.05;

/** Where a run's state is kept while it goes on. */
export interface RunKeeper {
  /** Called at every change. */
  status(status: RunStatus): Promise<void>;
  /** Called as trials end, and last with the final record. */
  record(record: ComparisonRecord): Promise<void>;
}

export interface FollowedRun {
  record: ComparisonRecord;
  /** What could not be written, at its first occurrence; the comparison went on without. */
  writeError: ErrorReport | null;
}

/**
 * Follows the engine to its end, however it ends, keeping status and record as it goes: what is measured is
 * kept even when the engine dies, the disk fills up, or this very process is killed.
 *
 * @param lastWords what the engine said last, for the message when it died without an end
 */
export async function followRun(
  events: AsyncIterable<EngineEvent>,
  builder: RecordBuilder,
  progress: RunProgress,
  keeper: RunKeeper,
  lastWords: () => string,
): Promise<FollowedRun> {
  let writeError: ErrorReport | null = null;
  const keep = async (write: Promise<void>): Promise<void> => {
    await write.catch((error: unknown) => {
      writeError ??= reportOf(error, 'record');
    });
  };
  let writingMs = 0;
  let writtenAtMs = -Infinity;
  const keepRecord = async (final: boolean): Promise<void> => {
    const startMs = performance.now();
    await keep(keeper.record(builder.build(final ? finalResamples : interimResamples)));
    writtenAtMs = performance.now();
    writingMs = writtenAtMs - startMs;
  };
  const take = async (event: EngineEvent): Promise<void> => {
    builder.apply(event);
    const grown = event.type === 'trial' || event.type === 'block';
    const due = performance.now() - writtenAtMs >= writingMs / maxWritingShare;
    // The record comes first: who sees the end of the run may read it at once.
    if (event.type === 'ended' || (grown && due)) await keepRecord(event.type === 'ended');
    progress.apply(event);
    await keep(keeper.status(progress.status));
  };

  let ended = false;
  let failure: ErrorReport | null = null;
  try {
    for await (const event of events) {
      await take(event);
      ended = event.type === 'ended';
    }
  } catch (error) {
    failure = reportOf(error, 'comparison');
  }
  if (!ended) await take({ type: 'ended', outcome: 'failed', error: failure ?? lostEngine(lastWords()) });
  return { record: builder.build(finalResamples), writeError };
}

function lostEngine(lastWords: string): ErrorReport {
  const said = lastWords === '' ? '' : ` It said: ${lastWords}`;
  return new TowlineError(
    'run-lost',
    'comparison',
    `The measuring engine ended before the comparison did.${said}`,
    {
      remedy: 'The finished trials are kept. Run "towline doctor" to see what this machine lacks.',
    },
  ).toReport();
}

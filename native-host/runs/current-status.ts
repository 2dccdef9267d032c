import { open } from 'node:fs/promises';
import type { ErrorReport } from '../../shared/errors/towline-error.ts';
import type { RunStatus } from '../../shared/messages/run-status.ts';
import { failRun } from './fail-run.ts';
import { isFinished } from './is-finished.ts';
import type { RunDirectory } from './run-directory.ts';

/** How much of the end of a log is looked at for a run's last words, bytes; and how many lines of it they are. */
const logTailBytes = 4096;
const lastWordsLines = 2;

/** A line that only says how far the run was. */
const progressLine = /^Trial \d+ of \d+/;

/**
 * Where a run stands. One whose process has ended without saying so is marked as failed, `run-lost`, in its
 * status and its record; the trials that were finished stay in the record.
 *
 * @returns null while the run has not written any status
 */
export async function currentStatus(run: RunDirectory): Promise<RunStatus | null> {
  // In this order: once the process has ended, no other status can come after the one read.
  const alive = await run.isAlive();
  const status = await run.readStatus();
  if (status === null || alive || isFinished(status)) return status;
  return failRun(run, await lostError(run));
}

async function lostError(run: RunDirectory): Promise<ErrorReport> {
  const lastWords = await lastLines(run.logPath);
  const said = lastWords === null ? '' : ` Its last words: ${lastWords}`;
  return {
    code: 'run-lost',
    stage: 'comparison',
    message: `The process that measured ended before the comparison was finished.${said}`,
    remedy: 'Start the comparison again; the trials that were finished are kept in its record.',
  };
}

/** The last lines that say something: an error and its remedy. Null when there are none. */
async function lastLines(path: string): Promise<string | null> {
  try {
    const file = await open(path);
    try {
      const { size } = await file.stat();
      const length = Math.min(size, logTailBytes);
      const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
      const lines = buffer.toString('utf8').split('\n');
      const said = lines.map((line) => line.trim()).filter((line) => line !== '' && !progressLine.test(line));
      return said.length === 0 ? null : said.slice(-lastWordsLines).join(' ');
    } finally {
      await file.close();
    }
  } catch {
    return null;
  }
}

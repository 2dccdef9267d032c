import { readFile } from 'node:fs/promises';
import { TowlineError } from '../../shared/errors/towline-error.ts';
import { readRecord } from '../../shared/record/read-record.ts';
import { comparisonTable } from '../terminal/comparison-table.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface ShowOptions {
  /** A record's file. */
  file: string;
  /** Print the record itself, checked and in the present version, instead of the tables. */
  json: boolean;
}

/**
 * Prints a record that was written earlier.
 * @returns the exit status: 0, also for a record of a run that failed, which it says
 * @throws TowlineError `file-not-found`, `permission-denied`, `bad-record` or `newer-record`
 */
export async function show(
  { file, json }: ShowOptions,
  terminal: Pick<Terminal, 'format' | 'print'>,
): Promise<number> {
  const record = readRecord(await readText(file), file);
  terminal.print(json ? JSON.stringify(record, null, 2) : comparisonTable(record, terminal.format));
  return 0;
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const denied = cause instanceof Error && 'code' in cause && cause.code === 'EACCES';
    throw denied
      ? new TowlineError('permission-denied', 'record', `${file} may not be read.`, {
          remedy: 'Ask its owner for the right to read it.',
          cause,
        })
      : new TowlineError('file-not-found', 'record', `There is no file ${file} to show.`, {
          remedy: 'Name a file written by "towline compare --json FILE".',
          cause,
        });
  }
}

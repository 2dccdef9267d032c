import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TowlineError } from '../../shared/errors/towline-error.ts';
import { readRecord } from '../../shared/record/read-record.ts';

export interface ReportOptions {
  /** Records to show, in any order. */
  files: readonly string[];
  /** Directory to write the site into; made if need be, files of an earlier report in it are replaced. */
  output: string;
}

/** The built results pages, beside the command in dist/ (extension/build.mjs makes them). */
const builtSite = join(import.meta.dirname, '../report');

/**
 * Writes the results pages as a static site that opens from disk: `index.html`, its script and style, and
 * `records.js` with the records. It needs no server and makes no request.
 * @param site where the built pages are; another place only in tests
 * @returns the exit status: 0
 * @throws TowlineError `bad-argument`, `file-not-found`, `bad-record`, `newer-record`, `write-failed` or
 *   `disk-full`; nothing is written unless every record can be read
 */
export async function report(
  { files, output: out }: ReportOptions,
  print: (line: string) => void,
  site = builtSite,
): Promise<number> {
  if (files.length === 0) {
    throw new TowlineError('bad-argument', 'arguments', 'No record was named to report on.', {
      remedy: 'Name one or more files written by "towline compare --json FILE".',
    });
  }
  const records = await Promise.all(files.map(readRecordFile));
  try {
    await mkdir(out, { recursive: true });
    await cp(site, out, { recursive: true });
    await writeFile(join(out, 'records.js'), recordsScript(records));
  } catch (cause) {
    throw writeError(out, cause);
  }
  print(pathToFileURL(resolve(out, 'index.html')).href);
  return 0;
}

interface RecordFile {
  name: string;
  text: string;
}

async function readRecordFile(file: string): Promise<RecordFile> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new TowlineError('file-not-found', 'record', `${file} cannot be read.`, {
      remedy: 'Name a file written by "towline compare --json FILE".',
      cause,
    });
  });
  // Written anew, so that an old record reaches the pages in the present version.
  return { name: basename(file), text: JSON.stringify(readRecord(text, file)) };
}

/** JSON is JavaScript, but for `<`, which could end a script element if the file were ever inlined. */
function recordsScript(records: readonly RecordFile[]): string {
  return `towlineReport = ${JSON.stringify({ records }).replaceAll('<', '\\u003c')};\n`;
}

function writeError(out: string, cause: unknown): TowlineError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : null;
  if (code === 'ENOSPC') {
    return new TowlineError(
      'disk-full',
      'record',
      `The disk is full: the report in ${out} is not complete.`,
      {
        remedy: 'Free some space, or name a directory on another disk with -o.',
        cause,
      },
    );
  }
  const detail = cause instanceof Error ? cause.message : String(cause);
  return new TowlineError(
    'write-failed',
    'record',
    `The report could not be written into ${out}: ${detail}`,
    {
      remedy: 'Name a directory that you may write into with -o.',
      cause,
    },
  );
}

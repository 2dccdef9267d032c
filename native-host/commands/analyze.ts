import { readFileSync } from 'node:fs';
import { errorCodes } from '../../shared/errors/error-codes.ts';
import { reportOf, TowlineError, type ErrorReport } from '../../shared/errors/towline-error.ts';
import { analysisVersion, type AnalyzedFile, type Analysis } from '../../shared/record/analysis.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { WireAnalyzer } from '../wire/analyzer.ts';
import { linkType } from '../wire/packet/link-type.ts';
import { analysisText } from './analysis-text.ts';
import { parseDurationMs } from './compare-options.ts';
import { readCaptureFile } from './read-capture-file.ts';

export interface AnalyzeOptions {
  /** Capture files; `-` is standard input. */
  files: readonly string[];
  /** A TLS key log for all of them. */
  keylog: string | undefined;
  json: boolean;
  /** A pause this long (`2s`) ends a page load, and what follows is another; undefined: one load per file. */
  splitIdle: string | undefined;
}

/** Longest pause that may be asked for. */
const maxSplitIdleMs = 3_600_000;

/**
 * `towline analyze`: prints what the packets of capture files say of the page loads in them. A file that cannot
 * be read is said to be so, and the others are analysed.
 *
 * @returns the exit status: 0; else that of the worst error: 2 no capture or no page load in it, 3 no right
 * @throws TowlineError `bad-argument`, or that of a key log that cannot be read
 */
export async function analyze(
  options: AnalyzeOptions,
  terminal: Pick<Terminal, 'format' | 'print' | 'error'>,
): Promise<number> {
  const splitIdleMs =
    options.splitIdle === undefined
      ? null
      : parseDurationMs('--split-idle', options.splitIdle, maxSplitIdleMs);
  const keyLog = options.keylog === undefined ? null : readKeyLog(options.keylog);
  const files: AnalyzedFile[] = [];
  for (const file of options.files) {
    const analyzed = await analyzeFile(file, keyLog, splitIdleMs);
    if (analyzed.error !== null) terminal.error(analyzed.error);
    if (!options.json && analyzed.loads.length > 0) terminal.print(analysisText(analyzed, terminal.format));
    files.push(analyzed);
  }
  if (options.json) {
    const analysis: Analysis = { format: 'towline-analysis', version: analysisVersion, files };
    terminal.print(JSON.stringify(analysis, null, 2));
  }
  return Math.max(0, ...files.map(({ error }) => (error === null ? 0 : errorCodes[error.code])));
}

async function analyzeFile(
  file: string,
  keyLog: string | null,
  splitIdleMs: number | null,
): Promise<AnalyzedFile> {
  // Every frame of a file comes with the link type of its own interface.
  const analyzer = new WireAnalyzer({ linkType: linkType.ethernet, splitIdleMs });
  if (keyLog !== null) analyzer.addKeyLog(keyLog);
  let problem: string | null;
  try {
    problem = await readCaptureFile(file, {
      onFrame: (frame, seconds, nanoseconds, originalBytes, link) => {
        analyzer.push(frame, seconds, nanoseconds, originalBytes, link);
      },
      onKeyLog: (text) => {
        analyzer.addKeyLog(text);
      },
      onNoKeys: () => {
        analyzer.endKeyLog();
      },
    });
  } catch (error) {
    return { file, loads: [], error: reportOf(error, 'wire') };
  }
  const loads = analyzer.finishLoads({ requests: null, hosts: null });
  if (problem !== null) for (const load of loads) load.notes.push(problem);
  const hasPage = loads.some((load) => load.epochMs !== null);
  return { file, loads, error: hasPage ? null : noPageFlows(file) };
}

function noPageFlows(file: string): ErrorReport {
  return new TowlineError('no-page-flows', 'wire', `${file} has no flow that carries requests.`, {
    remedy: 'Capture from before the page is loaded, with whole packets (tcpdump -s 0).',
  }).toReport();
}

function readKeyLog(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? cause.code : null;
    const denied = reason === 'EACCES' || reason === 'EPERM';
    const message = denied
      ? `The key log ${file} may not be read.`
      : reason === 'EISDIR'
        ? `The key log ${file} is a directory.`
        : `There is no key log ${file}.`;
    throw new TowlineError(denied ? 'permission-denied' : 'file-not-found', 'wire', message, {
      remedy: 'Name the file that SSLKEYLOGFILE named when the browser ran.',
      cause,
    });
  }
}

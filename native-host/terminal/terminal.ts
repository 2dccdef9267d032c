import type { ErrorReport } from '../../shared/errors/towline-error.ts';
import type { RunStatus } from '../../shared/messages/run-status.ts';
import { progressLine } from './progress-line.ts';

/** How much room there is and whether colours are wanted. */
export interface TerminalFormat {
  color: boolean;
  width: number;
}

/** What a command needs of the terminal. Results go to standard output, everything else to standard error. */
export interface Terminal {
  readonly format: TerminalFormat;
  /** A result: goes to standard output. */
  print: (text: string) => void;
  /** A sentence about what goes on; stays on the screen above the progress line. */
  remark: (sentence: string) => void;
  /** Replaces the progress line; one line at each change of trial where there is no real terminal. */
  progress: (status: RunStatus) => void;
  error: (report: ErrorReport) => void;
}

interface Stream {
  isTTY?: boolean | undefined;
  columns?: number;
  write(text: string): unknown;
}

/** `NO_COLOR` (no-color.org) and the absence of a real terminal both switch colours off. */
export function openTerminal(
  out: Stream,
  err: Stream,
  environment: { NO_COLOR?: string | undefined },
): Terminal {
  const color = out.isTTY === true && !environment.NO_COLOR;
  const format = { color, width: out.columns ?? 100 };
  let lineShown = false;
  let lastLine = '';
  const clearLine = (): void => {
    if (lineShown) err.write('\r\u001B[2K');
    lineShown = false;
  };
  return {
    format,
    print: (text) => {
      clearLine();
      out.write(`${text}\n`);
    },
    remark: (sentence) => {
      clearLine();
      err.write(`${sentence}\n`);
    },
    progress: (status) => {
      if (err.isTTY === true) {
        clearLine();
        err.write(progressLine(status, { ...format, width: err.columns ?? format.width }));
        lineShown = true;
        return;
      }
      // Without a real terminal a line cannot be replaced, so only the beginning of something new is told.
      const line = progressLine(status, format);
      if (line === lastLine || (status.state === 'running' && status.currentArm === null)) return;
      err.write(`${line}\n`);
      lastLine = line;
    },
    error: ({ message, remedy }) => {
      clearLine();
      err.write(`towline: ${message}\n`);
      if (remedy !== null) err.write(`         ${remedy}\n`);
    },
  };
}

import { errorCodes, type ErrorCode } from './error-codes.ts';

/** Where in the flow of data something went wrong. */
export type Stage =
  | 'arguments'
  | 'environment'
  | 'network'
  | 'lab'
  | 'browser'
  | 'capture'
  | 'wire'
  | 'trial'
  | 'comparison'
  | 'record'
  | 'messaging'
  | 'install';

/** An error in the form that is stored and sent: what happened, to what, and what to do about it. */
export interface ErrorReport {
  code: ErrorCode;
  stage: Stage;
  /** What happened and to what, one sentence. */
  message: string;
  /** What the person can do, or null where nothing is known to help. */
  remedy: string | null;
}

/** The only error class that crosses from one room to another. */
export class TowlineError extends Error implements ErrorReport {
  readonly code: ErrorCode;
  readonly stage: Stage;
  readonly remedy: string | null;

  constructor(
    code: ErrorCode,
    stage: Stage,
    message: string,
    options: { remedy?: string; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'TowlineError';
    this.code = code;
    this.stage = stage;
    this.remedy = options.remedy ?? null;
  }

  /** The error that a report came from in another process, ready to be thrown on. */
  static fromReport({ code, stage, message, remedy }: ErrorReport): TowlineError {
    return new TowlineError(code, stage, message, remedy === null ? {} : { remedy });
  }

  /** The exit status of a command that ends with this error. */
  get exitStatus(): 1 | 2 | 3 {
    return errorCodes[this.code];
  }

  toReport(): ErrorReport {
    return { code: this.code, stage: this.stage, message: this.message, remedy: this.remedy };
  }
}

/** Whatever was thrown, as a report; what is not a {@link TowlineError} becomes `internal`. */
export function reportOf(thrown: unknown, stage: Stage): ErrorReport {
  if (thrown instanceof TowlineError) return thrown.toReport();
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return { code: 'internal', stage, message, remedy: null };
}

import { dirname } from 'node:path';
import { TowlineError, type Stage } from '../../shared/errors/towline-error.ts';

/** A system call's failure to write `path`, as an error that says what to do. */
export function writeError(path: string, cause: unknown, stage: Stage): TowlineError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : null;
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new TowlineError('disk-full', stage, `No space is left to write ${path}.`, {
        remedy: `Free some space on the disk of ${dirname(path)}; what was written before is kept.`,
        cause,
      });
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new TowlineError('permission-denied', stage, `${path} may not be written.`, {
        remedy: `Make ${dirname(path)} writable for the user who runs Towline.`,
        cause,
      });
    default: {
      const reason = cause instanceof Error ? cause.message : String(cause);
      return new TowlineError('write-failed', stage, `${path} could not be written: ${reason}`, {
        remedy: `See whether ${dirname(path)} exists and can be written.`,
        cause,
      });
    }
  }
}

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { TowlineError } from '../../shared/errors/towline-error.ts';

const run = promisify(execFile);

/** Twice an NSS database, a few ms each; this is for a machine that is busy. */
const timeoutMs = 30_000;

/**
 * Has one Firefox profile trust an authority for web servers, before the browser starts. The other way, a policy
 * file, would be seen by every Firefox of the machine.
 *
 * @throws TowlineError `server-missing` without certutil
 */
export async function trustAuthority(profileDirectory: string, certificateFile: string): Promise<void> {
  const database = ['-d', `sql:${profileDirectory}`];
  try {
    await run('certutil', ['-N', ...database, '--empty-password'], { timeout: timeoutMs });
    await run('certutil', ['-A', ...database, '-t', 'C,,', '-n', 'Towline lab', '-i', certificateFile], {
      timeout: timeoutMs,
    });
  } catch (cause) {
    const missing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    throw new TowlineError(
      missing ? 'server-missing' : 'browser-failed',
      'browser',
      missing
        ? "certutil is not installed, but needed to have Firefox trust the lab's servers."
        : "Firefox's new profile could not be made to trust the lab's servers.",
      { remedy: missing ? 'sudo apt-get install libnss3-tools' : 'towline doctor', cause },
    );
  }
}

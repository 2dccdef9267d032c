import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { TowlineError, type Stage } from '../../shared/errors/towline-error.ts';
import type { ErrorCode } from '../../shared/errors/error-codes.ts';
import { toolPackages } from './tool-packages.ts';

/**
 * Where programs are looked for. An ordinary user's PATH often lacks the system directories in which ip, tc, nft
 * and ethtool lie, although all of them work without rights inside a namespace of one's own.
 */
export function toolPath(path: string | undefined = process.env.PATH): string {
  return [path, '/usr/local/sbin', '/usr/sbin', '/sbin', '/usr/bin', '/bin']
    .filter((part) => part !== undefined && part !== '')
    .join(delimiter);
}

/** Absolute path of a program, or null where the machine has none of that name. */
export function findTool(name: string): string | null {
  for (const directory of toolPath().split(delimiter)) {
    const candidate = join(directory, name);
    try {
      accessSync(candidate, constants.X_OK);
      return candidate;
    } catch {
      // Not here: the next directory may have it.
    }
  }
  return null;
}

/**
 * Checks that every program is there.
 * @param purpose what they are needed for, as the end of "... is needed to"
 * @throws TowlineError with the apt command that installs all that are missing
 */
export function requireTools(
  names: readonly string[],
  purpose: string,
  code: ErrorCode = 'namespace-unavailable',
  stage: Stage = 'network',
): void {
  const missing = names.filter((name) => findTool(name) === null);
  if (missing.length === 0) return;
  const packages = [...new Set(missing.map((name) => toolPackages[name] ?? name))];
  throw new TowlineError(
    code,
    stage,
    `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not installed, but needed to ${purpose}.`,
    { remedy: `sudo apt-get install ${packages.join(' ')}` },
  );
}

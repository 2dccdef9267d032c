import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** The part of the environment that says where a person's files lie. */
export type DirectoryEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * Where runs and the host's log are kept: `$XDG_STATE_HOME/towline`, else `~/.local/state/towline`.
 * A relative XDG_STATE_HOME is ignored, as the XDG Base Directory Specification 0.8 demands.
 */
export function stateDirectory(env: DirectoryEnvironment = process.env): string {
  const asked = env.XDG_STATE_HOME;
  const base = asked && isAbsolute(asked) ? asked : join(env.HOME ?? homedir(), '.local', 'state');
  return join(base, 'towline');
}

/** One directory per run, named by its id, lies in here. */
export function runsDirectory(env: DirectoryEnvironment = process.env): string {
  return join(stateDirectory(env), 'runs');
}

/** The same for windows that were opened with a protocol: they measure nothing, and keep no comparison waiting. */
export function windowsDirectory(env: DirectoryEnvironment = process.env): string {
  return join(stateDirectory(env), 'windows');
}

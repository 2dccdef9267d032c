import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Where a person's own files lie, by the XDG Base Directory Specification. */
export interface Places {
  home: string;
  /** `$XDG_CONFIG_HOME`: browsers of the Chromium family keep their profiles here. */
  config: string;
  /** Towline's own files that are not settings. */
  data: string;
}

/** Reads HOME, XDG_CONFIG_HOME and XDG_DATA_HOME; relative ones are ignored, as the specification demands. */
export function readPlaces(env: Readonly<Record<string, string | undefined>> = process.env): Places {
  const home = absolute(env.HOME) ?? homedir();
  return {
    home,
    config: absolute(env.XDG_CONFIG_HOME) ?? join(home, '.config'),
    data: join(absolute(env.XDG_DATA_HOME) ?? join(home, '.local', 'share'), 'towline'),
  };
}

function absolute(path: string | undefined): string | null {
  return path && isAbsolute(path) ? path : null;
}

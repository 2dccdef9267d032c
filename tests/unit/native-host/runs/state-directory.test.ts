import { expect, test } from 'vitest';
import { runsDirectory } from '../../../../native-host/runs/state-directory.ts';

test.each([
  [{ HOME: '/home/a' }, '/home/a/.local/state/towline/runs'],
  [{ HOME: '/home/a', XDG_STATE_HOME: '/var/s' }, '/var/s/towline/runs'],
  // XDG Base Directory Specification: "If an implementation encounters a relative path [...] it should
  // consider the path invalid and ignore it."
  [{ HOME: '/home/a', XDG_STATE_HOME: 'state' }, '/home/a/.local/state/towline/runs'],
  [{ HOME: '/home/a', XDG_STATE_HOME: '' }, '/home/a/.local/state/towline/runs'],
])('%j keeps runs in %s', (env, path) => {
  expect(runsDirectory(env)).toBe(path);
});

import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { findBrowser, findExecutables } from '../../../../native-host/browser/find-browser.ts';
import { temporaryRoot } from '../runs/temporary-root.ts';

function program(directory: string, name: string, script: string): string {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

afterEach(() => {
  vi.unstubAllEnvs();
});

test('a browser is found on the PATH, with the version it says', async () => {
  const bin = temporaryRoot();
  const executable = program(bin, 'chromium', 'echo "Chromium 156.0.8078.79 built on Debian GNU/Linux 12"');
  vi.stubEnv('PATH', bin);
  expect(await findBrowser('chromium')).toEqual({ name: 'chromium', executable, version: '156.0.8078.79' });
});

test('a program that does not start is passed over for the next one', async () => {
  const bin = temporaryRoot();
  // What Ubuntu puts in the place of a browser that is only to be had as a Snap.
  program(bin, 'chromium', 'echo "Command requires the chromium snap to be installed." >&2; exit 1');
  const chrome = program(bin, 'google-chrome', 'echo "Google Chrome 150.0.1.2 "');
  vi.stubEnv('PATH', bin);
  expect(await findBrowser('chromium')).toMatchObject({ name: 'chrome', executable: chrome });
});

test('what cannot be executed is no browser', () => {
  const bin = temporaryRoot();
  writeFileSync(join(bin, 'vivaldi'), '');
  mkdirSync(join(bin, 'vivaldi-stable'));
  expect(findExecutables('vivaldi', `${bin}:relative`)).toEqual([]);
});

test.each(['safari', 'toString', ''])('there is no browser %j', async (name) => {
  await expect(findBrowser(name)).rejects.toMatchObject({ code: 'bad-argument' });
});

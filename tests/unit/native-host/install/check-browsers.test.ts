import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { browserPlaces } from '../../../../native-host/install/browsers.ts';
import { checkBrowsers } from '../../../../native-host/install/check-browsers.ts';
import { checkHost } from '../../../../native-host/install/check-host.ts';
import { hostManifest } from '../../../../native-host/install/host-manifest.ts';
import { readPlaces, type Places } from '../../../../native-host/install/places.ts';
import type { Checkup } from '../../../../shared/messages/doctor-report.ts';
import { temporaryRoot } from '../runs/temporary-root.ts';

/** Somebody with an empty home directory and nothing on the PATH. */
function person(): { places: Places; path: string; program: (name: string, script: string) => string } {
  const home = temporaryRoot();
  const path = join(home, 'bin');
  mkdirSync(path);
  return {
    places: readPlaces({ HOME: home }),
    path,
    program: (name, script) => {
      const file = join(path, name);
      writeFileSync(file, `#!/bin/sh\n${script}\n`);
      chmodSync(file, 0o755);
      return file;
    },
  };
}

const answers = (): Promise<string> => Promise.resolve('0.1.0');

/** Browsers that this machine may have outside the PATH are left out. */
function only(places: Places, name: string) {
  return browserPlaces(places).filter((browser) => browser.name === name);
}

test('without a browser of the Chromium family nothing can be measured', async () => {
  const { places, path, program } = person();
  program('firefox', 'echo Mozilla Firefox 140.0');
  expect(await checkBrowsers(only(places, 'firefox'), places, path)).toMatchObject([
    { id: 'browser', state: 'missing', required: true, remedy: 'sudo apt-get install chromium' },
    { id: 'browser-firefox', state: 'ok' },
  ]);
});

test('a browser is told with its version', async () => {
  const { places, path, program } = person();
  const executable = program('chromium', 'echo Chromium 156.0.1');
  expect(await checkBrowsers(only(places, 'chromium'), places, path)).toMatchObject([
    { id: 'browser-chromium', state: 'ok', found: `156.0.1, ${executable}` },
  ]);
});

test('a Snap is named, with the cure', async () => {
  const { places, path } = person();
  // As snapd makes them: /snap/bin/chromium is a link to /usr/bin/snap.
  const snap = join(places.home, 'snap');
  writeFileSync(snap, '#!/bin/sh\n');
  chmodSync(snap, 0o755);
  symlinkSync(snap, join(path, 'chromium'));
  const [, chromium] = await checkBrowsers(only(places, 'chromium'), places, path);
  expect(chromium).toMatchObject({ state: 'warning', remedy: 'sudo apt-get install chromium' });
  expect(chromium?.found).toContain('Snap');
});

test('a Flatpak is named, with the cure', async () => {
  const { places, path } = person();
  const exported = join(places.home, '.local/share/flatpak/exports/bin');
  mkdirSync(exported, { recursive: true });
  writeFileSync(join(exported, 'com.brave.Browser'), '');
  const [, brave] = await checkBrowsers(only(places, 'brave'), places, path);
  expect(brave).toMatchObject({ title: 'Brave', state: 'warning' });
  expect(brave?.found).toContain('Flatpak');
});

test('each step to the host is checked as the browser takes it', async () => {
  const { places, path, program } = person();
  program('chromium', 'echo Chromium 156.0.1');
  const [browser] = only(places, 'chromium');
  if (!browser) throw new Error('Chromium is not in the table.');
  const check = (greet = answers): Promise<Checkup> => checkHost(browser, places, path, greet);
  const remedy = 'towline install --browser chromium';

  expect(await check()).toMatchObject({ state: 'missing', remedy });

  mkdirSync(browser.manifestDirectory, { recursive: true });
  const manifest = join(browser.manifestDirectory, 'org.towline.host.json');
  writeFileSync(manifest, '{');
  expect(await check()).toMatchObject({ state: 'missing', found: 'its manifest is not JSON', remedy });

  const wrapper = join(places.home, 'wrapper');
  writeFileSync(manifest, hostManifest('chromium', wrapper));
  expect((await check()).found).toContain('is not there or cannot be run');

  writeFileSync(wrapper, '', { mode: 0o755 });
  const silent = (): Promise<string> => Promise.reject(new Error('exec: node: not found'));
  expect(await check(silent)).toMatchObject({
    state: 'missing',
    found: 'the host does not answer: exec: node: not found',
    remedy,
  });
  expect(await check()).toMatchObject({ state: 'ok', found: 'the host answers, version 0.1.0' });
});

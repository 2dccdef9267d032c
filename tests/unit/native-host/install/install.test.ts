import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { install } from '../../../../native-host/commands/install.ts';
import { uninstall } from '../../../../native-host/commands/uninstall.ts';
import { InstallReportSchema, type InstallReport } from '../../../../shared/messages/install-report.ts';
import { temporaryRoot } from '../runs/temporary-root.ts';

const manifest = 'org.towline.host.json';

interface Person {
  home: string;
  install: (options?: { browser?: string; userDataDir?: string }) => Promise<InstallReport>;
  uninstall: (options?: { browser?: string; userDataDir?: string }) => Promise<InstallReport>;
}

/** Somebody with an empty home directory and no browser on the PATH. */
function person(env: Record<string, string> = {}): Person {
  const home = temporaryRoot();
  const surroundings = {
    env: { HOME: home, PATH: join(home, 'bin'), ...env },
    hostFile: import.meta.filename,
  };
  return {
    home,
    install: async (options = {}) => {
      let said = '';
      expect(await install({ json: true, ...options }, (text) => (said += text), surroundings)).toBe(0);
      return v.parse(InstallReportSchema, JSON.parse(said));
    },
    uninstall: async (options = {}) => {
      let said = '';
      expect(await uninstall({ json: true, ...options }, (text) => (said += text), surroundings.env)).toBe(0);
      return v.parse(InstallReportSchema, JSON.parse(said));
    },
  };
}

/** Every file with its text, every directory with a slash. */
function tree(root: string): Record<string, string> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return entry.isDirectory() ? [`${path}/`, ''] : [path, readFileSync(path, 'utf8')];
    }),
  );
}

test.each([
  ['.config/chromium', `.config/chromium/NativeMessagingHosts/${manifest}`],
  ['.config/google-chrome', `.config/google-chrome/NativeMessagingHosts/${manifest}`],
  ['.config/microsoft-edge', `.config/microsoft-edge/NativeMessagingHosts/${manifest}`],
  ['.config/vivaldi', `.config/vivaldi/NativeMessagingHosts/${manifest}`],
  [
    '.config/BraveSoftware/Brave-Browser',
    `.config/BraveSoftware/Brave-Browser/NativeMessagingHosts/${manifest}`,
  ],
  ['.mozilla/firefox', `.mozilla/native-messaging-hosts/${manifest}`],
  ['.config/mozilla/firefox', `.mozilla/native-messaging-hosts/${manifest}`],
])('who has a profile in ~/%s gets ~/%s', async (profile, path) => {
  const { home, install } = person();
  mkdirSync(join(home, profile), { recursive: true });
  const report = await install();
  // Snap and system paths of this machine may add browsers of their own; the one of the profile is always there.
  expect(report.manifests).toContainEqual(
    expect.objectContaining({ path: join(home, path), action: 'installed' }),
  );
  const wrapper = (JSON.parse(readFileSync(join(home, path), 'utf8')) as { path: string }).path;
  expect(wrapper).toBe(report.wrapper.path);
  expect(statSync(wrapper).mode & 0o111).toBe(0o111);
  expect(readFileSync(wrapper, 'utf8')).toContain(process.execPath);
});

test('what was installed is taken away again, and nothing else', async () => {
  const { home, install, uninstall } = person();
  mkdirSync(join(home, '.config/chromium/NativeMessagingHosts'), { recursive: true });
  writeFileSync(join(home, '.config/chromium/NativeMessagingHosts/com.other.json'), '{}');
  mkdirSync(join(home, '.mozilla/firefox'), { recursive: true });
  const before = tree(home);

  await install();
  await install({ userDataDir: join(home, 'profile', 'new') });
  expect(Object.keys(tree(home)).length).toBeGreaterThan(Object.keys(before).length);

  const report = await uninstall();
  expect(report.wrapper.action).toBe('removed');
  expect(report.manifests.filter(({ action }) => action === 'removed')).toHaveLength(3);
  expect(tree(home)).toEqual(before);
  expect((await uninstall()).manifests.every(({ action }) => action === 'absent')).toBe(true);
});

test('installing twice changes nothing', async () => {
  const { home, install } = person();
  await install({ browser: 'chromium' });
  const before = tree(home);
  const report = await install({ browser: 'chromium' });
  expect(report).toMatchObject({ wrapper: { action: 'unchanged' }, manifests: [{ action: 'unchanged' }] });
  expect(tree(home)).toEqual(before);
});

test('a manifest of another installation is brought up to date', async () => {
  const { home, install } = person();
  await install({ browser: 'firefox' });
  writeFileSync(join(home, '.mozilla/native-messaging-hosts', manifest), '{"path":"/old"}');
  expect((await install({ browser: 'firefox' })).manifests).toMatchObject([{ action: 'updated' }]);
});

test('the wrapper stays while a browser still names it', async () => {
  const { install, uninstall } = person();
  await install({ browser: 'chromium' });
  await install({ browser: 'firefox' });
  expect(await uninstall({ browser: 'firefox' })).toMatchObject({
    wrapper: { action: 'unchanged' },
    manifests: [{ browser: 'Firefox', action: 'removed' }],
  });
  expect(await uninstall({ browser: 'chromium' })).toMatchObject({ wrapper: { action: 'removed' } });
});

test('XDG directories are honoured', async () => {
  const root = temporaryRoot();
  const { home, install } = person({
    XDG_CONFIG_HOME: join(root, 'config'),
    XDG_DATA_HOME: join(root, 'data'),
  });
  const report = await install({ browser: 'chromium' });
  expect(report.manifests[0]?.path).toBe(join(root, 'config/chromium/NativeMessagingHosts', manifest));
  expect(report.wrapper.path).toBe(join(root, 'data/towline/native-host'));
  expect(readdirSync(home)).toEqual([]);
});

test('a lost journal does not keep the browsers from being cleaned', async () => {
  const { home, install, uninstall } = person();
  await install({ browser: 'vivaldi' });
  rmSync(join(home, '.local/share/towline/installed.json'));
  expect(await uninstall()).toMatchObject({ wrapper: { action: 'removed' } });
  expect(Object.keys(tree(home)).filter((path) => !path.endsWith('/'))).toEqual([]);
});

test('a browser that nobody knows, and a host that was not built, are errors', async () => {
  const { home, install: installFor } = person();
  await expect(installFor({ browser: 'netscape' })).rejects.toMatchObject({ code: 'bad-argument' });
  await expect(
    install({ json: false, browser: 'chromium' }, () => undefined, {
      env: { HOME: home },
      hostFile: '/no/main.js',
    }),
  ).rejects.toMatchObject({ code: 'file-not-found' });
  expect(readdirSync(home)).toEqual([]);
});

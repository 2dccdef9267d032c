import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TargetType } from 'puppeteer-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { serveLab, type ServedLab } from '../../../lab/serve.ts';
import { requireBrowser } from '../../../native-host/browser/find-browser.ts';
import { openManagedWindow, type WindowRequest } from '../../../native-host/browser/managed-window.ts';
import { chromeExtensionId } from '../../../shared/messages/extension-ids.ts';
import { openTestScreen } from '../../support/test-screen.ts';
import { trustInHome } from '../../support/test-servers.ts';
import { startTowline, towline, type Started } from '../../support/towline.ts';

let home: string;
/** Where the command puts its profiles. */
let temporary: string;
let lab: ServedLab;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'open-'));
  temporary = join(home, 't');
  await mkdir(temporary);
  lab = await serveLab({ port: 0 });
  await trustInHome(home, lab.caPath);
});
afterAll(async () => {
  await lab.close();
  await rm(home, { recursive: true, force: true });
});

/** The command, in a home directory where browsers trust the lab. */
function openIn(arm: string): Started {
  return startTowline(['open', `${lab.url}twitter/`, '--arm', arm, '--headless'], {
    environment: { HOME: home, XDG_STATE_HOME: join(home, 'state'), TMPDIR: temporary },
  });
}

/** Browsers with a profile in there, and what else lies in there. */
async function left(): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'args=']);
  const processes = stdout.split('\n').filter((line) => line.includes(temporary));
  return [
    ...processes,
    ...(await readdir(temporary)),
    ...(await readdir(join(home, 'state/towline/windows'))),
  ];
}

/** The first thing that the command prints. */
function printed({ process, ended }: Started): Promise<string> {
  return new Promise((resolve, reject) => {
    process.stdout.once('data', (data: Buffer) => {
      resolve(data.toString());
    });
    ended.then(({ stderr }) => {
      reject(new Error(`It ended without printing anything:\n${stderr}`));
    }, reject);
  });
}

test('each arm loads the page over its protocol, and is gone without a trace when told to end', async () => {
  const protocols = { h1: 'HTTP/1.1', h2: 'HTTP/2', h3: 'HTTP/3' };
  await Promise.all(
    Object.entries(protocols).map(async ([arm, protocol]) => {
      const started = openIn(arm);
      onTestFinished(() => void started.process.kill('SIGKILL'));
      expect(await printed(started)).toBe(`${lab.url}twitter/ came over ${protocol}.\n`);
      started.process.kill('SIGINT');
      expect(await started.ended).toMatchObject({ status: 0, stderr: '' });
    }),
  );
  expect(await left()).toEqual([]);
});

test('killed, it takes its browser with it, and its profile is removed', async () => {
  const started = openIn('h2');
  onTestFinished(() => void started.process.kill('SIGKILL'));
  await printed(started);
  started.process.kill('SIGKILL');
  await started.ended;
  await expect.poll(left, { timeout: 30_000 }).toEqual([]);
});

test.each([
  ['h3', 'http://localhost/', 'no-http3', 'cannot come over HTTP/3', 1],
  ['h2,h3', 'https://localhost/', 'two arms', 'a window has one protocol', 2],
  ['h2', 'file:///etc/passwd', 'no page', 'only http and https', 2],
  ['h2', 'lab:youtube', 'no server', 'lab serve', 2],
] as const)('%s of %s is refused: %s', async (arm, url, _why, words, status) => {
  const ended = await towline(['open', url, '--arm', arm, '--headless']);
  expect(ended).toMatchObject({ status, stderr: expect.stringContaining(words) as string });
});

test('without a screen there is no window, and the error says so', async () => {
  const ended = await towline(['open', lab.url, '--arm', 'h2'], {
    environment: { DISPLAY: '', WAYLAND_DISPLAY: '' },
  });
  expect(ended.status).toBe(3);
  expect(ended.stderr).toContain('no screen');
});

/** For a window that trusts the lab by itself. */
async function windowRequest(browser: string, profileDirectory: string): Promise<WindowRequest> {
  return {
    executable: (await requireBrowser(browser)).executable,
    ...{ wrapper: [], headless: true, withoutSandbox: process.getuid?.() === 0, sandboxRemedy: null },
    trusted: { keyHash: lab.spki, certificateFile: lab.caPath },
    ...{ arm: 'h3', http3Origins: [`localhost:${lab.port}`], profileDirectory },
    extensionDirectory: join(import.meta.dirname, '../../../dist', `extension-${browser}`),
  };
}

const protocolHere = (): string =>
  (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming).nextHopProtocol;

test('a window on a screen has the extension in it, and ends with its last page', async () => {
  const screen = await openTestScreen();
  const { DISPLAY: other } = process.env;
  process.env.DISPLAY = screen.display;
  const directory = await mkdtemp(join(tmpdir(), 'open-window-'));
  try {
    const request = await windowRequest('chromium', directory);
    const window = await openManagedWindow('chromium', {
      ...request,
      headless: false,
      extensionDirectory: join(import.meta.dirname, '../../../dist/extension-chrome'),
    });
    try {
      const { page, ended } = window;
      await page.goto(`${lab.url}twitter/`);
      expect(await page.evaluate(protocolHere)).toBe('h3');
      const browser = page.browser();
      expect([...(await browser.extensions()).keys()]).toEqual([chromeExtensionId]);
      // Not even the extension's own welcome, which the person has seen before.
      const pages = browser.targets().filter((target) => target.type() === TargetType.PAGE);
      expect(pages.map((target) => target.url())).toEqual([`${lab.url}twitter/`]);
      // Not waited for: the browser may be gone before it answers.
      page.close().catch(() => undefined);
      await ended;
    } finally {
      window.kill();
    }
  } finally {
    if (other === undefined) delete process.env.DISPLAY;
    else process.env.DISPLAY = other;
    await screen.close();
    await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
});

test('a window of Firefox loads its page over HTTP/3 too', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'open-window-'));
  const window = await openManagedWindow('firefox', await windowRequest('firefox', directory));
  try {
    await window.page.goto(`${lab.url}twitter/`);
    expect(await window.page.evaluate(protocolHere)).toBe('h3');
    expect(await window.page.evaluate(() => document.visibilityState)).toBe('visible');
  } finally {
    window.kill();
    await window.ended;
    await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
});

import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { findBrowser } from '../../../native-host/browser/find-browser.ts';
import { doctor } from '../../../native-host/commands/doctor.ts';
import { install } from '../../../native-host/commands/install.ts';
import { uninstall } from '../../../native-host/commands/uninstall.ts';
import { thisMachine } from '../../../native-host/install/this-machine.ts';
import { DoctorReportSchema } from '../../../shared/messages/doctor-report.ts';
import { hostName } from '../../../shared/messages/host-protocol.ts';
import { buildHost } from '../messaging/build-host.ts';
import { hello } from '../messaging/host-process.ts';

let scratch: string;
let hostFile: string;

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'towline-install-'));
  hostFile = await buildHost(scratch);
});
afterAll(async () => {
  await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
});

/** The environment of somebody with an empty home directory. */
async function person(): Promise<Record<string, string>> {
  const home = await mkdtemp(join(scratch, 'home-'));
  return { HOME: home, PATH: process.env.PATH ?? '', LANG: 'C.UTF-8' };
}

/** The manifest of the real extension: with it, browsers give the test's extension the pinned id. */
async function realManifest(browser: 'chrome' | 'firefox'): Promise<Record<string, unknown>> {
  const file = join(import.meta.dirname, '../../../extension/manifest.mjs');
  const module = (await import(file)) as {
    manifestFor: (browser: 'chrome' | 'firefox', version: string) => Record<string, unknown>;
  };
  return module.manifestFor(browser, '1.0');
}

/** Hears what the test's extension tells. */
async function listen(): Promise<{ port: number; heard: Promise<unknown> }> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const heard = new Promise<unknown>((resolve) => {
    server.on('request', (request, response) => {
      let body = '';
      request.on('data', (bytes: Buffer) => (body += bytes.toString()));
      request.on('end', () => {
        response.end();
        if (request.method === 'POST') resolve(JSON.parse(body));
      });
    });
  });
  return { port: (server.address() as AddressInfo).port, heard };
}

/** An extension that greets the host and tells what it hears. */
async function greetingExtension(browser: 'chrome' | 'firefox', port: number): Promise<string> {
  const directory = await mkdtemp(join(scratch, 'extension-'));
  const { key, background, browser_specific_settings } = await realManifest(browser);
  const manifest = {
    manifest_version: 3,
    name: 'Greets the host',
    version: '1.0',
    permissions: ['nativeMessaging'],
    host_permissions: ['http://127.0.0.1/*'],
    ...{ key, background, browser_specific_settings },
  };
  await writeFile(join(directory, 'manifest.json'), JSON.stringify(manifest));
  await writeFile(
    join(directory, 'background.js'),
    `const tell = (what) => fetch('http://127.0.0.1:${port}/', {
       method: 'POST', mode: 'no-cors', body: JSON.stringify(what),
     });
     const port = chrome.runtime.connectNative(${JSON.stringify(hostName)});
     port.onMessage.addListener(tell);
     port.onDisconnect.addListener(() => tell({ closed: (chrome.runtime.lastError ?? port.error)?.message }));
     port.postMessage(${JSON.stringify(hello)});`,
  );
  return directory;
}

const answer = { type: 'hello', requestId: hello.requestId, protocolVersion: hello.protocolVersion };

test('Chromium starts the host that was installed for its profile', async () => {
  const env = await person();
  const { port, heard } = await listen();
  const userDataDir = join(env.HOME ?? '', 'profile');
  await install({ json: true, userDataDir }, () => undefined, { env, hostFile });

  const found = await findBrowser('chromium');
  const browser = await puppeteer.launch({
    executablePath: found?.executable ?? expect.fail('There is no Chromium.'),
    userDataDir,
    env,
    pipe: true,
    enableExtensions: [await greetingExtension('chrome', port)],
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  try {
    expect(await heard).toMatchObject(answer);
  } finally {
    await browser.close();
  }
});

test('Firefox starts the host that was installed for its person', async () => {
  const env = await person();
  const { port, heard } = await listen();
  await mkdir(join(env.HOME ?? '', '.config'), { recursive: true });
  await install({ json: true, browser: 'firefox' }, () => undefined, { env, hostFile });

  const found = await findBrowser('firefox');
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: found?.executable ?? expect.fail('There is no Firefox.'),
    env,
  });
  try {
    await browser.installExtension(await greetingExtension('firefox', port));
    expect(await heard).toMatchObject(answer);
  } finally {
    await browser.close();
  }
});

test('the doctor reaches an installed host, and misses it when it is gone', async () => {
  const env = await person();
  const host = async (): Promise<string | undefined> => {
    let said = '';
    await doctor({ json: true, clean: false, color: false }, (text) => (said += text), {
      machine: thisMachine,
      env,
    });
    const { checkups } = v.parse(DoctorReportSchema, JSON.parse(said));
    return checkups.find(({ id }) => id === 'host-chromium')?.state;
  };
  expect(await host()).toBe('missing');
  await install({ json: true, browser: 'chromium' }, () => undefined, { env, hostFile });
  expect(await host()).toBe('ok');
  await uninstall({ json: true }, () => undefined, env);
  expect(await host()).toBe('missing');
});

import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import puppeteer, { TargetType, type Browser, type Page, type Target } from 'puppeteer-core';
import { chromeExtensionId } from '../../shared/messages/extension-ids.ts';
import { hostName } from '../../shared/messages/host-protocol.ts';
import type { RunStatus } from '../../shared/messages/run-status.ts';
import type { ComparisonRecord } from '../../shared/record/record.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Builds the extension and the report's pages into dist/, as script/build.mjs does. */
export async function buildExtension(): Promise<void> {
  const script = `import('${root}extension/build.mjs').then((built) => built.buildExtension('${root}'))`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
}

export interface ExtensionBrowser {
  browser: Browser;
  /** Clicks the toolbar button over a page and gives the popup. */
  openPopup(over: Page): Promise<Page>;
  /** At a route such as `#/recorder`. */
  openResults(route?: string): Promise<Page>;
  /** The page that a new person sees first. */
  openWelcome(): Promise<Page>;
  /** Makes the scripted host known to the browser, where it was left out at first. */
  installHost(): Promise<void>;
  /** Ends the background as Chrome does at will. `watching` is any page of the extension. */
  killBackground(watching: Page): Promise<void>;
  /** While a page of the extension is open. */
  badge(): Promise<string>;
  /** Lays down the run's status, as its process would. */
  writeStatus(status: RunStatus): Promise<void>;
  writeRecord(record: ComparisonRecord): Promise<void>;
  /** Waits until the scripted host was asked for a thing of this type. */
  asked(type: string): Promise<{ type: string }>;
  close(): Promise<void>;
}

export interface ExtensionBrowserOptions {
  /** False for a browser without the scripted host. */
  host?: boolean;
  /** An existing profile directory, its maker's to remove; one of its own when left out. */
  profile?: string;
  environment?: NodeJS.ProcessEnv;
  /**
   * True for an extension whose person has agreed to all it may ask for. Headless browsers show no such
   * question, so its optional permissions become required ones. `pages`: to the reading of pages alone.
   */
  agreed?: boolean | 'pages';
  /** True for an extension allowed in private windows, as its person may in the browser's own settings. */
  inPrivate?: boolean;
  build?: 'extension-chrome' | 'extension-chrome-lab';
  /** What is started as Chromium, with the flags that are put behind all others. */
  executable?: string;
  flags?: readonly string[];
  /** True for an extension that knows German alone, so that every browser shows it in German. */
  german?: boolean;
}

/** Chromium with the built extension and, unless told otherwise, the scripted host. */
export async function openExtensionBrowser({
  host = true,
  profile,
  environment = process.env,
  agreed = false,
  inPrivate = false,
  german = false,
  build = 'extension-chrome',
  executable = '/usr/bin/chromium',
  flags = [],
}: ExtensionBrowserOptions = {}): Promise<ExtensionBrowser> {
  const directory = await mkdtemp(join(tmpdir(), 'towline-e2e-'));
  if (host) await installScriptedHost(directory);
  const built = join(root, 'dist', build);
  const given = agreed ? await agree(built, join(directory, 'extension'), agreed) : built;
  const extension = german ? await onlyGerman(given, join(directory, 'german')) : given;
  const profileDirectory = profile ?? join(directory, 'profile');
  if (inPrivate) await allowInPrivate(profileDirectory);
  const browser = await puppeteer.launch({
    executablePath: executable,
    userDataDir: profileDirectory,
    env: environment,
    enableExtensions: [extension],
    pipe: true,
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), ...flags],
  });
  const worker = async () => {
    const found = await (await browser.waitForTarget(isBackground)).worker();
    if (!found) throw new Error('The background has no worker.');
    return found;
  };
  await worker();
  // A new profile begins with the welcome page; it would take the focus from what comes next.
  // Not closed before it is drawn: its renderer asks the browser for the catalogue of messages while its script waits,
  // and when the page goes in the middle of that, keeps an empty one for all of the extension's pages.
  const target = await browser.waitForTarget((each) => each.url().endsWith('/welcome.html'));
  const welcome = await target.asPage();
  await welcome.waitForSelector('h1');
  await welcome.close();

  return {
    browser,
    async openPopup(over) {
      await over.bringToFront();
      const opening = browser.waitForTarget((target) => target.url().endsWith('/popup.html'));
      await (await browser.extensions()).get(chromeExtensionId)?.triggerAction(over);
      return await (await opening).asPage();
    },
    async openResults(route = '') {
      const page = await browser.newPage();
      await page.goto(`chrome-extension://${chromeExtensionId}/options.html${route}`);
      return page;
    },
    async openWelcome() {
      const page = await browser.newPage();
      await page.goto(`chrome-extension://${chromeExtensionId}/welcome.html`);
      return page;
    },
    installHost: () => installScriptedHost(directory),
    async killBackground(watching) {
      await (await worker()).evaluate('globalThis.isFirstLife = true');
      const session = await watching.createCDPSession();
      await session.send('ServiceWorker.enable');
      await session.send('ServiceWorker.stopAllWorkers');
      await session.detach();
      // The page wakes it again by itself, but it starts halted for the debugger that drives this test.
      while (!(await isAwakeAnew(browser))) await new Promise((resolve) => setTimeout(resolve, 50));
    },
    async badge() {
      // Any page of the extension may read it; asking the background would keep that alive.
      const target = await browser.waitForTarget(
        (each) => each.type() === TargetType.PAGE && each.url().includes(chromeExtensionId),
      );
      return String(await (await target.asPage()).evaluate('chrome.action.getBadgeText({})'));
    },
    async writeStatus(status) {
      // Renamed into place: the host may look at any moment.
      const half = join(directory, 'status.json.new');
      await writeFile(half, JSON.stringify(status));
      await rename(half, join(directory, 'status.json'));
    },
    writeRecord: (record) => writeFile(join(directory, 'record.json'), JSON.stringify(record)),
    async asked(type) {
      for (;;) {
        const lines = (await readFile(join(directory, 'asked.json'), 'utf8').catch(() => '')).split('\n');
        const found = lines
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as { type: string })
          .find((deed) => deed.type === type);
        if (found) return found;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    async close() {
      await browser.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function isBackground(target: Target): boolean {
  return target.type() === TargetType.SERVICE_WORKER && target.url().includes(chromeExtensionId);
}

/** Lets the background's next life go on, if it has begun. @returns whether it has */
async function isAwakeAnew(browser: Browser): Promise<boolean> {
  try {
    const session = await (await browser.waitForTarget(isBackground)).createCDPSession();
    await session.send('Runtime.runIfWaitingForDebugger');
    const { result } = await session.send('Runtime.evaluate', { expression: 'globalThis.isFirstLife' });
    // Not detached: puppeteer would take that for the worker's end.
    return result.type === 'undefined';
  } catch {
    // It ended while it was asked.
    return false;
  }
}

/** A copy of a built extension whose optional permissions are required ones. @returns its directory */
export async function agree(built: string, copy: string, agreed: true | 'pages'): Promise<string> {
  await cp(built, copy, { recursive: true });
  const file = join(copy, 'manifest.json');
  const { optional_permissions, optional_host_permissions, permissions, ...manifest } = JSON.parse(
    await readFile(file, 'utf8'),
  ) as Record<'optional_permissions' | 'optional_host_permissions' | 'permissions', string[]>;
  await writeFile(
    file,
    JSON.stringify({
      ...manifest,
      permissions: [...permissions, ...(agreed === true ? optional_permissions : [])],
      host_permissions: optional_host_permissions,
    }),
  );
  return copy;
}

/** Writes what the switch on chrome://extensions would: pressing it would end an extension loaded for a test. */
async function allowInPrivate(profile: string): Promise<void> {
  await mkdir(join(profile, 'Default'), { recursive: true });
  const preferences = { extensions: { settings: { [chromeExtensionId]: { incognito: true } } } };
  await writeFile(join(profile, 'Default/Preferences'), JSON.stringify(preferences));
}

async function onlyGerman(built: string, copy: string): Promise<string> {
  await cp(built, copy, { recursive: true });
  await rm(join(copy, '_locales/en'), { recursive: true });
  const file = join(copy, 'manifest.json');
  const manifest = JSON.parse(await readFile(file, 'utf8')) as object;
  await writeFile(file, JSON.stringify({ ...manifest, default_locale: 'de' }));
  return copy;
}

async function installScriptedHost(directory: string): Promise<void> {
  const script = join(directory, 'host.mjs');
  await build({
    entryPoints: [join(root, 'tests/e2e/scripted-host.ts')],
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'warning',
  });
  const wrapper = join(directory, 'host');
  await writeFile(wrapper, `#!/bin/sh\nexec '${process.execPath}' '${script}' '${directory}'\n`);
  await chmod(wrapper, 0o755);
  const manifests = join(directory, 'profile', 'NativeMessagingHosts');
  await mkdir(manifests, { recursive: true });
  await writeFile(
    join(manifests, `${hostName}.json`),
    JSON.stringify({
      name: hostName,
      description: 'Scripted host of a test',
      path: wrapper,
      type: 'stdio',
      allowed_origins: [`chrome-extension://${chromeExtensionId}/`],
    }),
  );
}

/** What axe-core finds wrong with a page, one line per place; empty when it is accessible. */
export async function axeViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const result = (await page.evaluate('axe.run(document, { preload: false })')) as {
    violations: { id: string; nodes: { html: string }[] }[];
  };
  return result.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** Waits until the page shows a text, whichever its spaces; says what it shows instead when it does not come. */
export async function waitForText(page: Page, text: string): Promise<void> {
  try {
    await page.waitForFunction(
      (wanted) => document.body.innerText.replaceAll('\u00a0', ' ').includes(wanted),
      {},
      text,
    );
  } catch (cause) {
    const shown = await page.evaluate(() => document.body.innerText);
    throw new Error(`"${text}" did not appear. The page shows:\n${shown}`, { cause });
  }
}

/** Drops a file on the page, as a person would. */
export async function dropFile(page: Page, name: string, content: string): Promise<void> {
  await page.evaluate(
    (fileName, text) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], fileName, { type: 'application/json' }));
      document
        .querySelector('article')
        ?.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }));
    },
    name,
    content,
  );
}

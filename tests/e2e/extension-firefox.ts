import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { BidiTransport } from '../../native-host/browser/bidi-transport.ts';
import { findBrowser } from '../../native-host/browser/find-browser.ts';
import { writeFirefoxPreferences } from '../../native-host/browser/firefox-preferences.ts';
import { launchFirefox } from '../../native-host/browser/launch-firefox.ts';
import { trustAuthority } from '../../native-host/browser/trust-authority.ts';
import { firefoxExtensionId } from '../../shared/messages/extension-ids.ts';

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
/** Firefox gives each extension an origin of its own, drawn anew for every profile unless it has one. */
const originId = '5c5d8d2c-0d5c-4f0e-9d0e-5a1f6f1d7c11';

/** A Firefox with a build of the extension in it. */
export interface ExtensionFirefox {
  /** The tab in front. */
  page: Page;
  /** The id that extensions know it by. */
  tabId: number;
  /** A page of the extension. */
  extension: Page;
  /** Runs an expression in a page of Firefox's own, which may reach all of the browser. */
  inside: (expression: string) => Promise<unknown>;
  /** Opens a page of the extension, such as `options.html`. */
  openExtensionPage: (path: string) => Promise<Page>;
  /** Has the person allow it to read all pages: headless browsers show no such question. */
  allowPages: () => Promise<void>;
  /** As kill -9. */
  kill: () => void;
}

export interface ExtensionFirefoxOptions {
  build: 'extension-firefox' | 'extension-firefox-lab';
  /** A directory, empty or of an earlier run. */
  profile: string;
  /** Of an authority that the profile is to trust; null to take any certificate. */
  caPath: string | null;
  keyLogFile: string;
}

export async function openExtensionFirefox({
  build,
  profile,
  caPath,
  keyLogFile,
}: ExtensionFirefoxOptions): Promise<ExtensionFirefox> {
  const found = await findBrowser('firefox');
  if (found === null) throw new Error('This test needs Firefox.');
  await writeFirefoxPreferences(profile, {
    armPreferences: {
      'extensions.experiments.enabled': true,
      // What the extension asks for is agreed to: headless browsers show no such question.
      'extensions.webextOptionalPermissionPrompts': false,
      'extensions.webextensions.uuids': JSON.stringify({ [firefoxExtensionId]: originId }),
    },
    trusting: true,
  });
  // A second database cannot be made over the first.
  for (const name of ['cert9.db', 'key4.db', 'pkcs11.txt']) await rm(join(profile, name), { force: true });
  if (caPath !== null) await trustAuthority(profile, caPath);
  // Else WebDriver opens neither an extension's pages nor Firefox's own.
  process.env.MOZ_REMOTE_ALLOW_SYSTEM_ACCESS = '1';
  const { endpoint, kill } = await launchFirefox({
    executable: found.executable,
    wrapper: [],
    headless: true,
    profileDirectory: profile,
    keyLogFile,
  });
  try {
    const transport = await BidiTransport.open(endpoint);
    const browser = await puppeteer.connect({
      transport,
      protocol: 'webDriverBiDi',
      acceptInsecureCerts: caPath === null,
    });
    await transport.command('webExtension.install', {
      extensionData: { type: 'path', path: join(dist, build) },
      'moz:allowPrivateBrowsing': true,
    });
    const [page] = await browser.pages();
    if (!page) throw new Error('Firefox has no page.');
    const openExtensionPage = (path: string) => openInside(browser, `moz-extension://${originId}/${path}`);
    const extension = await openExtensionPage('options.html');
    const config = await openInside(browser, 'about:config');
    const tabId = await extension.evaluate(async () => {
      const { tabs } = (globalThis as unknown as TabsGlobal).browser;
      const [first] = await tabs.query({ index: 0 });
      return first?.id ?? -1;
    });
    return {
      ...{ page, tabId, extension, openExtensionPage, kill },
      inside: (expression) => config.evaluate(expression),
      allowPages: async () => {
        await config.evaluate(`ChromeUtils.importESModule('resource://gre/modules/ExtensionPermissions.sys.mjs')
          .ExtensionPermissions.add(
            '${firefoxExtensionId}',
            { permissions: ['webRequest'], origins: ['http://*/*', 'https://*/*'] },
            WebExtensionPolicy.getByID('${firefoxExtensionId}').extension,
          )`);
      },
    };
  } catch (error) {
    kill();
    throw error;
  }
}

/** Opens a page of an extension's or of Firefox's own: of these puppeteer hears no load event. */
async function openInside(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage();
  void page.goto(url, { timeout: 0 }).catch(() => undefined);
  for (const end = Date.now() + 60_000; ;) {
    // Asked while the tab changes its process, it may refuse.
    const at = await page
      .evaluate(() => `${document.readyState} ${location.href}`)
      .catch((error: unknown) => String(error));
    if (at === `complete ${url}`) return page;
    if (Date.now() > end) throw new Error(`${url} did not open: ${at}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

interface TabsGlobal {
  browser: { tabs: { query(what: { index: number }): Promise<{ id?: number }[]> } };
}

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'puppeteer-core';
import { serveLab, type ServedLab } from '../../lab/serve.ts';
import { trustInHome } from '../support/test-servers.ts';
import { openExtensionBrowser, type ExtensionBrowser } from './extension-browser.ts';

const run = promisify(execFile);

/** A person's browser with the built extension, the host installed by the command itself, and the lab's site. */
export interface RealBrowser {
  chromium: ExtensionBrowser;
  lab: ServedLab;
  close(): Promise<void>;
}

/**
 * Everything real, in a home directory of its own: the browser in it, and every browser the host starts, trust
 * the lab's authority as a person's browser trusts a company's.
 */
export async function openRealBrowser(): Promise<RealBrowser> {
  const home = await mkdtemp(join(tmpdir(), 'towline-home-'));
  const lab = await serveLab({ port: 0 });
  try {
    await trustInHome(home, lab.caPath);
    const profile = join(home, 'profile');
    await mkdir(profile);
    const environment = {
      ...process.env,
      HOME: home,
      XDG_STATE_HOME: join(home, 'state'),
      XDG_DATA_HOME: join(home, 'data'),
    };
    await run('bin/towline', ['install', '--user-data-dir', profile], { env: environment });
    const chromium = await openExtensionBrowser({ host: false, profile, environment });
    return {
      chromium,
      lab,
      close: async () => {
        await chromium.close();
        await lab.close();
        await rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
      },
    };
  } catch (error) {
    await lab.close();
    await rm(home, { recursive: true, force: true });
    throw error;
  }
}

/** Asks in the popup for this many rounds, and starts the comparison. */
export async function compareRounds(popup: Page, rounds: number): Promise<void> {
  await popup.waitForSelector('form.compare input[type=number]');
  await popup.$eval(
    'form.compare input[type=number]',
    (input, value) => {
      input.value = String(value);
      input.dispatchEvent(new Event('input', { bubbles: true }));
    },
    rounds,
  );
  await popup.click('form.compare button[type=submit]');
}

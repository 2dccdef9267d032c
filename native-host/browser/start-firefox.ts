import puppeteer from 'puppeteer-core';
import { firefoxArmPreferences } from '../../shared/arms/firefox-arm-preferences.ts';
import { TowlineError } from '../../shared/errors/towline-error.ts';
import { altSvcByOrigin } from './alt-svc-by-origin.ts';
import { BidiNetworkLog, bidiNetworkEvents } from './bidi-network-log.ts';
import { BidiTransport } from './bidi-transport.ts';
import { drivePage } from './drive-page.ts';
import { firefoxHar } from './firefox-har.ts';
import { writeFirefoxPreferences } from './firefox-preferences.ts';
import { firefoxResources } from './firefox-resources.ts';
import { launchFirefox } from './launch-firefox.ts';
import type { BrowserRequest, ManagedBrowser, NetworkAccount } from './managed-browser.ts';
import { trustAuthority } from './trust-authority.ts';

/** Starts a Firefox for one trial. @throws TowlineError `browser-failed` */
export async function startFirefox(request: BrowserRequest): Promise<ManagedBrowser> {
  const { profileDirectory, trusted } = request;
  await writeFirefoxPreferences(profileDirectory, {
    armPreferences: firefoxArmPreferences(request.arm, request.http3Origins),
    trusting: trusted !== null,
  });
  if (trusted !== null) await trustAuthority(profileDirectory, trusted.certificateFile);
  const { endpoint, kill } = await launchFirefox(request);
  try {
    return { ...(await drive(endpoint)), kill };
  } catch (cause) {
    kill();
    throw new TowlineError('browser-failed', 'browser', 'Firefox started but could not be driven.', {
      remedy: 'Towline drives Firefox by WebDriver BiDi: use a release from 142 on.',
      cause,
    });
  }
}

async function drive(endpoint: string): Promise<Omit<ManagedBrowser, 'kill'>> {
  const transport = await BidiTransport.open(endpoint);
  const log = new BidiNetworkLog();
  transport.onEvent = (event) => {
    log.hear(event);
  };
  const browser = await puppeteer.connect({
    transport,
    protocol: 'webDriverBiDi',
    defaultViewport: null,
    // Read from the events themselves: puppeteer would follow each request a second time.
    networkEnabled: false,
  });
  await transport.command('session.subscribe', { events: bidiNetworkEvents });
  const [first] = await browser.pages();
  const page = first ?? (await browser.newPage());
  const version = /\d+(?:\.\d+)+/.exec(await browser.version())?.[0] ?? 'unknown';
  const account: NetworkAccount = {
    resources: (timeOriginEpochMs) => firefoxResources(log.exchanges, timeOriginEpochMs),
    altSvc: () =>
      altSvcByOrigin(
        log.exchanges.flatMap(({ response }) =>
          response === null
            ? []
            : [
                {
                  url: response.url,
                  headers: response.headers.map(({ name, value }) => [name, value.value] as const),
                },
              ],
        ),
      ),
    clientPorts: null,
    har: () => firefoxHar(log.exchanges, { url: page.url(), browserVersion: version }),
  };
  return { version, ...drivePage(page, account, () => log.quietForMs()) };
}

import { harFromMessages } from 'chrome-har';
import { chromiumArmFlags } from '../arms/chromium-arms.ts';
import { altSvcByOrigin } from './alt-svc-by-origin.ts';
import { chromiumFlags } from './chromium-flags.ts';
import { drivePage } from './drive-page.ts';
import { launchChromium } from './launch-chromium.ts';
import type { BrowserRequest, ManagedBrowser, NetworkAccount } from './managed-browser.ts';
import { NetworkLog } from './network-log.ts';
import { resourcesOf } from './resources-of.ts';
import { writePreferences } from './write-preferences.ts';

/** Starts a Chromium, or one of its family, for one trial. @throws TowlineError `browser-failed` */
export async function startChromium(request: BrowserRequest): Promise<ManagedBrowser> {
  const { profileDirectory, headless, withoutSandbox, keyLogFile, executable, wrapper } = request;
  await writePreferences(profileDirectory);
  const flags = chromiumFlags({
    ...{ profileDirectory, headless, withoutSandbox, keyLogFile },
    armFlags: chromiumArmFlags(request.arm, request.http3Origins),
    trustedKeyHash: request.trusted?.keyHash ?? null,
    extensions: false,
  });
  const launched = await launchChromium({
    ...{ executable, wrapper, flags, ownDirectory: profileDirectory, temporaryDirectory: null },
    sandboxRemedy: request.sandboxRemedy,
  });
  try {
    const log = await NetworkLog.attach(launched.page);
    const { events } = log;
    const { page, version, kill } = launched;
    const account: NetworkAccount = {
      resources: (timeOriginEpochMs) => resourcesOf(events, timeOriginEpochMs),
      altSvc: () => altSvcByOrigin(responsesOf(events)),
      clientPorts: null,
      har: () => harFromMessages([...events]),
    };
    return { version, kill, ...drivePage(page, account, () => log.quietForMs()) };
  } catch (error) {
    launched.kill();
    throw error;
  }
}

interface ResponseEvent {
  response: { url: string; headers: Record<string, string> };
}

function responsesOf(events: NetworkLog['events']): Parameters<typeof altSvcByOrigin>[0] {
  return events
    .filter(({ method }) => method === 'Network.responseReceived')
    .map(({ params }) => {
      const { url, headers } = (params as ResponseEvent).response;
      return { url, headers: Object.entries(headers) };
    });
}

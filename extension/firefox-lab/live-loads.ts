import { firefoxArmPreferences } from '../../shared/arms/firefox-arm-preferences.ts';
import { intendedProtocol, protocolOf } from '../../shared/arms/protocol-names.ts';
import { offersHttp3 } from '../../shared/arms/offers-http3.ts';
import { reportOf, TowlineError } from '../../shared/errors/towline-error.ts';
import type { LiveLoad, LiveState } from '../../shared/messages/live-load.ts';
import type { Arm } from '../../shared/record/arm.ts';
import { flushBrowser, forgetConnections } from './flush-browser.ts';
import type { PreferenceSwitch } from './preference-switch.ts';
import { watchLoad, type Origin, type WatchedLoad } from './watch-load.ts';

/** Loads of the person's own tabs in an arm of choice, one at a time. */
export class LiveLoads {
  #state: LiveState = { state: 'idle' };
  readonly #preferences: PreferenceSwitch;
  readonly #isTaken: () => boolean;

  /** @param isTaken whether a comparison has the browser to itself */
  constructor(preferences: PreferenceSwitch, isTaken: () => boolean) {
    this.#preferences = preferences;
    this.#isTaken = isTaken;
  }

  get state(): LiveState {
    return this.#state;
  }

  /** Loads the tab's page once more, cold, in this arm, and puts everything back. Never throws. */
  async load(tabId: number, tab: NativeTab, arm: Arm): Promise<LiveState> {
    if (this.#state.state === 'loading' || this.#isTaken()) {
      return { state: 'failed', tabId, arm, error: reportOf(busy(), 'browser') };
    }
    this.#state = { state: 'loading', tabId, arm };
    try {
      const load = await this.#load(tab, arm);
      this.#state = { state: 'loaded', tabId, load };
    } catch (error) {
      this.#state = { state: 'failed', tabId, arm, error: reportOf(error, 'browser') };
    }
    return this.#state;
  }

  /** The extension is disabled, removed or updated, maybe in mid-load: nothing is set any more. */
  end(): void {
    this.#preferences.end();
    forgetConnections();
  }

  async #load(tab: NativeTab, arm: Arm): Promise<LiveLoad> {
    const origins = arm === 'h3' ? http3OriginsOf(await this.#loadOnce(tab, 'auto', [])) : [];
    const seen = await this.#loadOnce(tab, arm, origins);
    const { url, protocol, requests, fromCache, loadTimeMs } = seen;
    const wanted = intendedProtocol(arm);
    const confirmed = wanted === null || protocolOf(protocol) === wanted;
    return { arm, url, protocol, confirmed, requests, fromCache, loadTimeMs };
  }

  async #loadOnce(tab: NativeTab, arm: Arm, http3Origins: string[]): Promise<WatchedLoad> {
    try {
      // The person's own negotiation is whatever they have set.
      if (arm !== 'auto') this.#preferences.set(firefoxArmPreferences(arm, http3Origins));
      await flushBrowser();
      return await watchLoad(tab);
    } finally {
      this.#preferences.restore();
      // Else what was connected in the arm would carry what the person does next.
      forgetConnections();
    }
  }
}

/**
 * `host:port` of the origins that offered HTTP/3, each once.
 * @throws TowlineError `no-http3-origin` when the page's own origin offers none
 */
function http3OriginsOf({ origin, protocol, altSvc }: WatchedLoad): string[] {
  const offering = altSvc
    .filter((one) => offersHttp3(one.origin, one.value))
    .map((one) => nameOf(one.origin));
  // Over HTTP/3, which an HTTPS record has told of, a server need not say again that it speaks it.
  if (protocolOf(protocol) === 'h3') offering.push(nameOf(origin));
  if (!offering.includes(nameOf(origin))) {
    throw new TowlineError('no-http3-origin', 'browser', `${origin.hostname} does not offer HTTP/3.`, {
      remedy: 'Choose HTTP/1.1 or HTTP/2.',
    });
  }
  return [...new Set(offering)];
}

const nameOf = ({ hostname, port }: Origin): string => `${hostname}:${port === '' ? '443' : port}`;

function busy(): TowlineError {
  return new TowlineError('host-busy', 'browser', 'Another tab is being loaded in an arm of choice.', {
    remedy: 'Wait until it is done.',
  });
}

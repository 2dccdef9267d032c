/**
 * The Experiment, in Firefox's main process: `browser.towlineNegotiation`, as negotiation-schema.json has it.
 * Wiring only. What an extension may call here is checked against that schema by Firefox.
 */
import { reportOf, TowlineError } from '../../shared/errors/towline-error.ts';
import type { LiveState } from '../../shared/messages/live-load.ts';
import type { OwnBrowser, OwnStep } from '../../shared/messages/own-browser.ts';
import type { Arm } from '../../shared/record/arm.ts';
import { LiveLoads } from './live-loads.ts';
import { MeasuredLoads } from './measured-loads.ts';
import { PreferenceSwitch } from './preference-switch.ts';

class NegotiationApi extends ExtensionAPI {
  readonly #preferences = new PreferenceSwitch();
  readonly #measured = new MeasuredLoads(this.#preferences);
  readonly #loads = new LiveLoads(this.#preferences, () => this.#measured.isGoingOn);

  onShutdown(): void {
    this.#measured.stop();
    this.#loads.end();
  }

  getAPI(context: CallerContext): { towlineNegotiation: Record<string, unknown> } {
    let watched = false;
    const tabOf = (tabId: number): NativeTab => this.extension.tabManager.get(tabId).nativeTab;
    return {
      towlineNegotiation: {
        load: (tabId: number, arm: Arm): Promise<LiveState> => this.#loads.load(tabId, tabOf(tabId), arm),
        state: (): Promise<LiveState> => Promise.resolve(this.#loads.state),
        about: (): Promise<OwnBrowser> => Promise.resolve(thisBrowser()),
        begin: (arm: Arm, http3Origins: string[]): Promise<OwnStep> =>
          step(async () => {
            if (this.#loads.state.state === 'loading') throw busy();
            // When the caller goes away, nobody takes the next step.
            const close = (): void => {
              this.#measured.stop();
            };
            if (!watched) context.callOnClose({ close });
            watched = true;
            await this.#measured.begin(arm, http3Origins);
            return { type: 'begun' };
          }),
        measure: (tabId: number, url: string, timeoutMs: number): Promise<OwnStep> =>
          step(async () => {
            const tab = tabOf(tabId);
            await this.#measured.load(tab, url, timeoutMs);
            // For the page's own timing; the person has asked for this page.
            this.extension.tabManager.addActiveTabPermission(tab);
            return { type: 'loaded' };
          }),
        finish: (): Promise<OwnStep> =>
          step(async () => ({ type: 'finished', account: await this.#measured.finish() })),
        stop: (): Promise<void> => {
          this.#measured.stop();
          return Promise.resolve();
        },
      },
    };
  }
}

/** Firefox tells an extension nothing of what is thrown here. */
async function step(take: () => Promise<OwnStep>): Promise<OwnStep> {
  try {
    return await take();
  } catch (error) {
    return { type: 'failed', error: reportOf(error, 'browser') };
  }
}

function thisBrowser(): OwnBrowser {
  const graphics = Cc['@mozilla.org/gfx/info;1']?.getService(Ci.nsIGfxInfo) as { isHeadless: boolean };
  return { own: true, version: Services.appinfo.version, headless: graphics.isHeadless };
}

function busy(): TowlineError {
  return new TowlineError('host-busy', 'browser', 'Another tab is being loaded in an arm of choice.', {
    remedy: 'Wait until it is done.',
  });
}

Object.assign(globalThis, { towlineNegotiation: NegotiationApi });

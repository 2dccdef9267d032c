/**
 * The Experiment, in Firefox's main process: `browser.towlineNegotiation`, as negotiation-schema.json has it.
 * Wiring only. What an extension may call here is checked against that schema by Firefox.
 */
import type { LiveState } from '../../shared/messages/live-load.ts';
import type { Arm } from '../../shared/record/arm.ts';
import { LiveLoads } from './live-loads.ts';

class NegotiationApi extends ExtensionAPI {
  readonly #loads = new LiveLoads();

  onShutdown(): void {
    this.#loads.end();
  }

  getAPI(): { towlineNegotiation: Record<string, unknown> } {
    return {
      towlineNegotiation: {
        load: (tabId: number, arm: Arm): Promise<LiveState> =>
          this.#loads.load(tabId, this.extension.tabManager.get(tabId).nativeTab, arm),
        state: (): Promise<LiveState> => Promise.resolve(this.#loads.state),
      },
    };
  }
}

Object.assign(globalThis, { towlineNegotiation: NegotiationApi });

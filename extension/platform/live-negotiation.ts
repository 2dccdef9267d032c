import * as v from 'valibot';
import browser from 'webextension-polyfill';
import { LiveStateSchema, type LiveState } from '../../shared/messages/live-load.ts';
import type { Arm } from '../../shared/record/arm.ts';

/** What the Experiment of the Firefox lab build offers, with answers unchecked. */
interface NegotiationApi {
  load(tabId: number, arm: Arm): Promise<unknown>;
  state(): Promise<unknown>;
}

/** Loading a tab in an arm of choice, in the person's own browser. */
export interface LiveNegotiation {
  /** Loads the tab once more. Answers when all is as it was before; never rejects for what the page does. */
  load(tabId: number, arm: Arm): Promise<LiveState>;
  state(): Promise<LiveState>;
}

/** Null in every build but Firefox's lab build: no other browser lets an extension choose the protocol. */
export function liveNegotiation(): LiveNegotiation | null {
  const api = (browser as { towlineNegotiation?: NegotiationApi }).towlineNegotiation;
  if (!api) return null;
  return {
    load: async (tabId, arm) => v.parse(LiveStateSchema, await api.load(tabId, arm)),
    state: async () => v.parse(LiveStateSchema, await api.state()),
  };
}

/** The tab in front; null where there is none. */
export async function activeTabId(): Promise<number | null> {
  const [tab] = await browser.tabs.query({ active: true, currentWindow: true });
  return tab?.id ?? null;
}

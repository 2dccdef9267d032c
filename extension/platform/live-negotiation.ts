import * as v from 'valibot';
import browser from 'webextension-polyfill';
import { LiveStateSchema, type LiveState } from '../../shared/messages/live-load.ts';
import {
  OwnBrowserSchema,
  OwnStepSchema,
  type OwnBrowser,
  type OwnStep,
} from '../../shared/messages/own-browser.ts';
import type { Arm } from '../../shared/record/arm.ts';

/** What the Experiment of the Firefox lab build offers, with answers unchecked. */
interface NegotiationApi {
  load(tabId: number, arm: Arm): Promise<unknown>;
  state(): Promise<unknown>;
  about(): Promise<unknown>;
  begin(arm: Arm, http3Origins: readonly string[]): Promise<unknown>;
  measure(tabId: number, url: string, timeoutMs: number): Promise<unknown>;
  finish(): Promise<unknown>;
  stop(): Promise<void>;
}

/** Loading a tab in an arm of choice, in the person's own browser. */
export interface LiveNegotiation {
  /** Loads the tab once more. Answers when all is as it was before; never rejects for what the page does. */
  load(tabId: number, arm: Arm): Promise<LiveState>;
  state(): Promise<LiveState>;
  /** This browser, as a record names it. */
  about(): Promise<OwnBrowser>;
}

/** The steps of a comparison's load; what went wrong in one is its answer. */
export interface MeasuredLoading {
  begin(arm: Arm, http3Origins: readonly string[]): Promise<OwnStep>;
  measure(tabId: number, url: string, timeoutMs: number): Promise<OwnStep>;
  finish(): Promise<OwnStep>;
  /** Puts everything back, whatever goes on. */
  stop(): Promise<void>;
}

/** Null in every build but Firefox's lab build: no other browser lets an extension choose the protocol. */
export function liveNegotiation(): (LiveNegotiation & MeasuredLoading) | null {
  const api = (browser as { towlineNegotiation?: NegotiationApi }).towlineNegotiation;
  if (!api) return null;
  return {
    load: async (tabId, arm) => v.parse(LiveStateSchema, await api.load(tabId, arm)),
    state: async () => v.parse(LiveStateSchema, await api.state()),
    about: async () => v.parse(OwnBrowserSchema, await api.about()),
    begin: async (arm, http3Origins) => v.parse(OwnStepSchema, await api.begin(arm, http3Origins)),
    measure: async (tabId, url, timeoutMs) =>
      v.parse(OwnStepSchema, await api.measure(tabId, url, timeoutMs)),
    finish: async () => v.parse(OwnStepSchema, await api.finish()),
    stop: () => api.stop(),
  };
}

/** The tab in front; null where there is none. */
export async function activeTabId(): Promise<number | null> {
  const [tab] = await browser.tabs.query({ active: true, currentWindow: true });
  return tab?.id ?? null;
}

import * as v from 'valibot';
import browser from 'webextension-polyfill';
import { TrackedRunSchema, type TrackedRun } from '../../shared/messages/extension-messages.ts';

const key = 'runs';

/** The followed runs, in memory of the browser session: it outlives the background, not the browser. */
export const sessionRuns = {
  async load(): Promise<TrackedRun[]> {
    const stored = await browser.storage.session.get(key);
    const parsed = v.safeParse(v.array(TrackedRunSchema), stored[key]);
    return parsed.success ? parsed.output : [];
  },
  async save(runs: readonly TrackedRun[]): Promise<void> {
    await browser.storage.session.set({ [key]: runs });
  },
};

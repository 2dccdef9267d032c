import * as v from 'valibot';
import browser from 'webextension-polyfill';

const key = 'watched-ports';

/** Ports of servers that recorded pages have used, in memory of the browser session. */
export const watchedPorts = {
  async load(): Promise<number[]> {
    const stored = await browser.storage.session.get(key);
    const parsed = v.safeParse(v.array(v.number()), stored[key]);
    return parsed.success ? parsed.output : [];
  },
  async save(ports: readonly number[]): Promise<void> {
    await browser.storage.session.set({ [key]: ports });
  },
};

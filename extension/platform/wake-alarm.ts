import browser from 'webextension-polyfill';

const name = 'towline-run';

/**
 * Wakes the background while a run goes on: the browser may end it at any time, and the host cannot wake it.
 * Half a minute is the shortest period Chrome grants.
 */
/** A promise in Chrome, nothing in Firefox. */
const create = async (): Promise<void> => browser.alarms.create(name, { periodInMinutes: 0.5 });

export const wakeAlarm = {
  async set(wanted: boolean): Promise<void> {
    if (!wanted) await browser.alarms.clear(name);
    else if (!(await browser.alarms.get(name))) await create();
  },
  onWake(listener: () => void): void {
    browser.alarms.onAlarm.addListener((alarm) => {
      if (alarm.name === name) listener();
    });
  },
};

import * as v from 'valibot';
import browser from 'webextension-polyfill';

const whole = (least: number, most: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));

/** What a person wants recorded, and how much of it kept; every field falls back to its default. */
export const RecorderSettingsSchema = v.object({
  scope: v.fallback(v.picklist(['off', 'sites', 'all']), 'off'),
  /** Host names recorded when the scope is `sites`. */
  sites: v.fallback(v.array(v.pipe(v.string(), v.minLength(1))), []),
  /** Note also what pages ask for after their load. */
  afterLoad: v.fallback(v.boolean(), false),
  /** Have the host watch packets, for the Time on Wire of what is recorded. */
  timeOnWire: v.fallback(v.boolean(), false),
  maxAgeDays: v.fallback(whole(1, 3650), 30),
  maxMegabytes: v.fallback(whole(1, 1000), 50),
});
export type RecorderSettings = v.InferOutput<typeof RecorderSettingsSchema>;

const key = 'recorder';

export const recorderSettings = {
  async load(): Promise<RecorderSettings> {
    const stored = await browser.storage.local.get(key);
    return v.parse(RecorderSettingsSchema, { ...(stored[key] as object | undefined) });
  },
  async change(change: Partial<RecorderSettings>): Promise<RecorderSettings> {
    const settings = { ...(await this.load()), ...change };
    await browser.storage.local.set({ [key]: settings });
    return settings;
  },
  onChange(listener: () => void): void {
    browser.storage.local.onChanged.addListener((changed) => {
      if (key in changed) listener();
    });
  },
};

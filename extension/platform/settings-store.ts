import * as v from 'valibot';
import browser from 'webextension-polyfill';
import { ArmSchema } from '../../shared/record/arm.ts';

/** What a person prefers for new comparisons; every field falls back to its default. */
export const SettingsSchema = v.object({
  arms: v.fallback(v.pipe(v.array(ArmSchema), v.minLength(1)), ['h1', 'h2', 'h3']),
  /** Blocks that count. Eight can tell a difference between any number of arms at the 95 % level. */
  rounds: v.fallback(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(200)), 8),
  /** Pause between page loads, ms. */
  gapMs: v.fallback(v.pipe(v.number(), v.minValue(0), v.maxValue(60_000)), 2000),
});
export type Settings = v.InferOutput<typeof SettingsSchema>;

const key = 'settings';

export const settingsStore = {
  async load(): Promise<Settings> {
    const stored = await browser.storage.local.get(key);
    return v.parse(SettingsSchema, { ...(stored[key] as object | undefined) });
  },
  async save(settings: Settings): Promise<void> {
    await browser.storage.local.set({ [key]: settings });
  },
};

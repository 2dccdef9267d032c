import * as v from 'valibot';
import browser from 'webextension-polyfill';

const key = 'visits';
/** More documents than a session's tabs can go back to are not remembered. */
const kept = 300;

const VisitSchema = v.object({
  tabId: v.number(),
  timeOriginMs: v.number(),
  origin: v.string(),
  returns: v.number(),
  sinceMs: v.number(),
  fromMs: v.number(),
  hasLoaded: v.boolean(),
  isAway: v.boolean(),
  leftMs: v.nullable(v.number()),
});
type Visit = v.InferOutput<typeof VisitSchema>;

/** The documents that tabs have shown, in memory of the browser session: it outlives the background. */
export const visitStore = {
  /** By key; the oldest first. */
  async load(): Promise<Record<string, Visit>> {
    const stored = await browser.storage.session.get(key);
    const parsed = v.safeParse(v.record(v.string(), VisitSchema), stored[key]);
    return parsed.success ? parsed.output : {};
  },
  async save(visits: Record<string, Visit>): Promise<void> {
    const latest = Object.fromEntries(Object.entries(visits).slice(-kept));
    await browser.storage.session.set({ [key]: latest });
  },
};

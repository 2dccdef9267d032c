import * as v from 'valibot';
import browser, { type WebRequest } from 'webextension-polyfill';
import { mayAskForAddresses } from './recorder-permissions.ts';
import { isPrivateTab } from './tabs.ts';

const key = 'addresses';
/** Of one tab: more than any page has servers. */
const keptPerTab = 200;

const SeenSchema = v.record(
  v.string(),
  v.array(
    v.object({
      origin: v.string(),
      address: v.string(),
      atMs: v.number(),
      /** It answered with a document of the tab itself. */
      isDocument: v.optional(v.boolean(), false),
    }),
  ),
);
type Seen = v.InferOutput<typeof SeenSchema>;

/**
 * Addresses of servers, seen by webRequest, which only observes here, and only where the person allowed it; never
 * those of private windows.
 * They are kept for the browser session, so that they outlive the background.
 */
export class ServerAddresses {
  /** Set by the owner: a server answered. */
  onServer: (origin: string) => void = () => undefined;

  #seen: Promise<Seen> = load();
  /** By tab; Chrome does not say it with the response. */
  readonly #isPrivate = new Map<number, Promise<boolean>>();
  #writing: Promise<void> = Promise.resolve();
  #dirty = false;

  /** Begins to watch if it is allowed; to be called as the background starts, and when permissions change. */
  watch(): void {
    // Undefined while the permission is not granted.
    const webRequest = browser.webRequest as WebRequest.Static | undefined;
    if (!webRequest || !mayAskForAddresses()) return;
    if (webRequest.onResponseStarted.hasListener(this.#onResponse)) return;
    const urls = ['http://*/*', 'https://*/*'];
    webRequest.onResponseStarted.addListener(this.#onResponse, { urls });
    webRequest.onBeforeRedirect.addListener(this.#onResponse, { urls });
  }

  async of(tabId: number): Promise<Seen[string]> {
    return (await this.#seen)[tabId] ?? [];
  }

  /** Of all tabs but one. */
  async ofOthers(tabId: number): Promise<Seen[string]> {
    return Object.entries(await this.#seen).flatMap(([tab, seen]) => (tab === String(tabId) ? [] : seen));
  }

  /** A closed tab needs none any more. */
  async forget(tabId: number): Promise<void> {
    this.#isPrivate.delete(tabId);
    const seen = await this.#seen;
    if (!(tabId in seen)) return;
    this.#seen = Promise.resolve(
      Object.fromEntries(Object.entries(seen).filter(([tab]) => tab !== String(tabId))),
    );
    this.#save();
  }

  readonly #onResponse = ({ tabId, ip, url, timeStamp, type }: Response): void => {
    if (ip === undefined || tabId < 0) return;
    const { origin } = new URL(url);
    const isDocument = type === 'main_frame';
    void this.#note(tabId, { origin, address: ip, atMs: timeStamp, isDocument });
  };

  async #note(tabId: number, noted: Seen[string][number]): Promise<void> {
    const isPrivate = this.#isPrivate.get(tabId) ?? isPrivateTab(tabId);
    this.#isPrivate.set(tabId, isPrivate);
    if (await isPrivate) return;
    const seen = await this.#seen;
    const others = (seen[tabId] ?? []).filter(
      ({ origin, address, isDocument }) =>
        origin !== noted.origin || address !== noted.address || isDocument !== noted.isDocument,
    );
    seen[tabId] = [...others, noted].slice(-keptPerTab);
    this.#save();
    this.onServer(noted.origin);
  }

  /** At once, and once more for all that came meanwhile: nothing waits in memory for a timer. */
  #save(): void {
    if (this.#dirty) return;
    this.#dirty = true;
    this.#writing = this.#writing.then(async () => {
      this.#dirty = false;
      await browser.storage.session.set({ [key]: await this.#seen });
    });
  }
}

type Response = Pick<WebRequest.OnResponseStartedDetailsType, 'tabId' | 'ip' | 'url' | 'timeStamp' | 'type'>;

async function load(): Promise<Seen> {
  const stored = await browser.storage.session.get(key);
  const parsed = v.safeParse(SeenSchema, stored[key]);
  return parsed.success ? parsed.output : {};
}

import * as v from 'valibot';
import browser, { type WebRequest } from 'webextension-polyfill';
import { ownBrowserFamily } from './extension-info.ts';
import { mayAskForAddresses } from './recorder-permissions.ts';
import { isPrivateTab } from './tabs.ts';

const key = 'addresses';
/** Of one tab, and of all workers: more than any page has servers. */
const keptEach = 200;
/** In the place of a tab's id: service workers ask in no tab's name, and serve several. */
const workers = 'workers';

const SeenSchema = v.record(
  v.string(),
  v.array(
    v.object({
      origin: v.string(),
      address: v.string(),
      atMs: v.number(),
      /** It answered with a document of the tab itself. */
      isDocument: v.optional(v.boolean(), false),
      /** Origin of the worker that asked; absent where the tab did. */
      worker: v.optional(v.string()),
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
  #untold: Promise<boolean> | null = null;
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

  /** Of the workers of an origin; null where the browser does not tell whether they are of a private window. */
  async ofWorkers(origin: string): Promise<Seen[string] | null> {
    if (await this.#isUntold()) return null;
    return ((await this.#seen)[workers] ?? []).filter(({ worker }) => worker === origin);
  }

  /** Of all tabs but one, and of the workers of all origins but its own. */
  async ofOthers(tabId: number, origin: string): Promise<Seen[string]> {
    return Object.entries(await this.#seen).flatMap(([tab, seen]) =>
      tab === String(tabId) ? [] : seen.filter(({ worker }) => worker !== origin),
    );
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

  readonly #onResponse = (response: Response): void => {
    const { tabId, ip, url, timeStamp, type } = response;
    // Firefox says null where no server answered: where a worker did.
    if (!ip) return;
    const seen = { origin: new URL(url).origin, address: ip, atMs: timeStamp };
    if (tabId >= 0) {
      const isPrivate = this.#isPrivate.get(tabId) ?? isPrivateTab(tabId);
      this.#isPrivate.set(tabId, isPrivate);
      void this.#note(String(tabId), { ...seen, isDocument: type === 'main_frame' }, isPrivate);
      return;
    }
    const worker = URL.parse(response.initiator ?? response.originUrl ?? '')?.origin;
    // Else the browser itself has asked, or another extension.
    if (!worker?.startsWith('http')) return;
    const isPrivate = response.incognito ?? this.#isUntold();
    void this.#note(workers, { ...seen, isDocument: false, worker }, isPrivate);
  };

  /** Whether nobody tells if a worker that asks is of a private window: Firefox says it with every response. */
  #isUntold(): Promise<boolean> {
    this.#untold ??=
      ownBrowserFamily() === 'firefox'
        ? Promise.resolve(false)
        : browser.extension.isAllowedIncognitoAccess();
    return this.#untold;
  }

  async #note(by: string, noted: Seen[string][number], isPrivate: boolean | Promise<boolean>): Promise<void> {
    if (await isPrivate) return;
    const seen = await this.#seen;
    const others = (seen[by] ?? []).filter(
      ({ origin, address, isDocument, worker }) =>
        origin !== noted.origin ||
        address !== noted.address ||
        isDocument !== noted.isDocument ||
        worker !== noted.worker,
    );
    seen[by] = [...others, noted].slice(-keptEach);
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

type Response = Pick<
  WebRequest.OnResponseStartedDetailsType,
  'tabId' | 'ip' | 'url' | 'timeStamp' | 'type' | 'originUrl' | 'incognito'
> & {
  /** Of Chrome, which has neither `originUrl` nor `incognito`. */
  initiator?: string;
};

async function load(): Promise<Seen> {
  const stored = await browser.storage.session.get(key);
  const parsed = v.safeParse(SeenSchema, stored[key]);
  return parsed.success ? parsed.output : {};
}

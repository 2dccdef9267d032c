import type { CDPSession, Page, Protocol as Cdp } from 'puppeteer-core';

/** One debugging event, in the form that both the HAR writer and {@link resourcesOf} read. */
export interface DebuggingEvent {
  method: string;
  params: unknown;
}

const recorded = [
  'Page.loadEventFired',
  'Page.domContentEventFired',
  'Page.frameStartedLoading',
  'Page.frameAttached',
  'Page.frameScheduledNavigation',
  'Page.navigatedWithinDocument',
  'Network.requestWillBeSent',
  'Network.requestServedFromCache',
  'Network.dataReceived',
  'Network.responseReceived',
  'Network.resourceChangedPriority',
  'Network.loadingFinished',
  'Network.loadingFailed',
  'Network.responseReceivedExtraInfo',
  'Network.requestWillBeSentExtraInfo',
] as const;

/** Collects the browser's own account of every request, from all of the page's processes. */
export class NetworkLog {
  readonly events: DebuggingEvent[] = [];
  /** Requests started and neither finished nor failed. */
  readonly #open = new Set<string>();
  /** Monotonic ms of the last event that started or ended a request. */
  #lastActivityMs = performance.now();

  private constructor() {
    // Made by attach() only.
  }

  static async attach(page: Page): Promise<NetworkLog> {
    const log = new NetworkLog();
    const session = await page.createCDPSession();
    await log.#follow(session);
    await session.send('Page.enable');
    return log;
  }

  /** How long no request has been open, ms; 0 while one is. */
  quietForMs(): number {
    return this.#open.size > 0 ? 0 : performance.now() - this.#lastActivityMs;
  }

  async #follow(session: CDPSession): Promise<void> {
    for (const method of recorded) {
      session.on(method, (params: unknown) => {
        this.events.push({ method, params });
      });
    }
    session.on('Network.requestWillBeSent', ({ requestId, request }: Cdp.Network.RequestWillBeSentEvent) => {
      if (!/^https?:/.test(request.url)) return;
      this.#open.add(requestId);
      this.#lastActivityMs = performance.now();
    });
    const ended = ({ requestId }: { requestId: string }): void => {
      this.#open.delete(requestId);
      this.#lastActivityMs = performance.now();
    };
    session.on('Network.loadingFinished', ended);
    session.on('Network.loadingFailed', ended);
    // Frames of other sites and workers live in processes of their own, with a session each; they wait until
    // they are followed, so that none of their requests is missed.
    session.on('sessionattached', (child: CDPSession) => {
      this.#follow(child)
        .then(() => child.send('Runtime.runIfWaitingForDebugger'))
        .catch(() => {
          // The frame went away before it could be followed: its requests ended with it.
        });
    });
    await session.send('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 });
    await session.send('Target.setAutoAttach', {
      autoAttach: true,
      waitForDebuggerOnStart: true,
      flatten: true,
    });
  }
}

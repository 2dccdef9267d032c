import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { reportOf, type TowlineError } from '../../shared/errors/towline-error.ts';
import type { ManagedBrowser } from '../browser/managed-browser.ts';
import { navigationError } from '../browser/navigation-error.ts';
import { navigationOf } from '../browser/navigation-of.ts';
import { startBrowser } from '../browser/start-browser.ts';
import { userNamespaceRemedy } from '../network/user-namespaces.ts';
import { cpuIdleRatio, readCpuTicks } from './cpu-idle.ts';
import { KeyLogTail } from './key-log-tail.ts';
import { TrialCapture } from './trial-capture.ts';
import type { TrialObservation } from './trial-observation.ts';
import type { TrialRequest } from './trial-request.ts';
import { waitUntilQuiet } from './wait-until-quiet.ts';

/** A browser and a capture that wait for the word to load the page. */
export class ReadyTrial {
  readonly #request: TrialRequest;
  readonly #capture: TrialCapture;
  readonly #keyLog: KeyLogTail;
  readonly #browser: ManagedBrowser;
  readonly #browserStartMs: number;

  private constructor(
    request: TrialRequest,
    parts: { capture: TrialCapture; keyLog: KeyLogTail; browser: ManagedBrowser },
    browserStartMs: number,
  ) {
    this.#request = request;
    this.#capture = parts.capture;
    this.#keyLog = parts.keyLog;
    this.#browser = parts.browser;
    this.#browserStartMs = browserStartMs;
  }

  /**
   * Starts capture and browser for one trial: outside the timed part.
   * @throws TowlineError `browser-failed`
   */
  static async prepare(request: TrialRequest): Promise<ReadyTrial> {
    const startedAtMs = performance.now();
    const keyLogFile = request.keyLogFile ?? join(request.scratchDirectory, 'keys.log');
    const capture = await TrialCapture.open(request.capture, request.pcapFile);
    try {
      const { arm, http3Origins } = request;
      const { family, ...asked } = request.browser;
      const profileDirectory = join(request.scratchDirectory, 'profile');
      const browser = await startBrowser(family, {
        ...asked,
        ...{ arm, http3Origins, profileDirectory, keyLogFile, sandboxRemedy: userNamespaceRemedy() },
      });
      const keyLog = new KeyLogTail(keyLogFile, (text) => {
        capture.addKeyLog(text);
      });
      return new ReadyTrial(request, { capture, keyLog, browser }, performance.now() - startedAtMs);
    } catch (error) {
      await capture.stop();
      throw error;
    }
  }

  /**
   * Loads the page once and says all that was seen. A load that fails is an observation too.
   * @param onLoaded called when the load event has fired or the load has failed
   */
  async observe(onLoaded: () => void): Promise<TrialObservation> {
    const { url, loadTimeoutMs, harFile } = this.#request;
    const { page, version, account } = this.#browser;
    const startedAt = new Date().toISOString();
    const cpuBefore = await readCpuTicks();
    const loadStartMs = performance.now();
    const error = await load(page, url, loadTimeoutMs);
    const loadedMs = performance.now();
    const cpuAfter = await readCpuTicks();
    onLoaded();

    const navigation = error ? null : await navigationOf(page);
    if (!error) await waitUntilQuiet(() => Math.min(account.quietForMs(), this.#capture.quietForMs()));
    const quietAtMs = performance.now();

    const capture = await this.#capture.stop();
    await this.#keyLog.close();
    const timeOriginMs = navigation?.timeOriginEpochMs ?? Date.parse(startedAt);
    const resources = account.resources(timeOriginMs);
    // When the browser wanted each is what the wire engine tells waiting in the browser by.
    const wanted = resources.map(({ url, startedAtMs }) => ({ url, wantedAtMs: timeOriginMs + startedAtMs }));
    const wire = this.#capture.analyse(wanted.length === 0 ? [{ url }] : wanted);
    if (harFile !== null) await writeFile(harFile, JSON.stringify(account.har(), null, 1));
    return {
      startedAt,
      browserVersion: version,
      navigation,
      resources,
      altSvc: account.altSvc(),
      wire,
      wireMissing: this.#capture.missing,
      capture,
      cpuIdleRatio: cpuIdleRatio(cpuBefore, cpuAfter),
      cost: {
        browserStartMs: this.#browserStartMs,
        loadMs: loadedMs - loadStartMs,
        quietMs: quietAtMs - loadedMs,
        analysisMs: performance.now() - quietAtMs,
      },
      error: error && reportOf(error, 'trial'),
    };
  }

  /** Ends browser and capture. Never throws. */
  async close(): Promise<void> {
    this.#browser.kill();
    await this.#capture.stop();
  }
}

/** @returns why the page did not load; null when its load event fired */
async function load(page: Page, url: string, timeoutMs: number): Promise<TowlineError | null> {
  try {
    await page.goto(url, { waitUntil: 'load', timeout: timeoutMs });
    return null;
  } catch (thrown) {
    return navigationError(url, thrown, timeoutMs);
  }
}

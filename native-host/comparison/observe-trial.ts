import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { reportOf } from '../../shared/errors/towline-error.ts';
import type { ManagedBrowser } from '../browser/managed-browser.ts';
import { startBrowser } from '../browser/start-browser.ts';
import { userNamespaceRemedy } from '../network/user-namespaces.ts';
import { cpuIdleRatio, readCpuTicks } from './cpu-idle.ts';
import { KeyLogTail } from './key-log-tail.ts';
import { TrialCapture } from './trial-capture.ts';
import type { TrialObservation } from './trial-observation.ts';
import type { TrialRequest } from './trial-request.ts';

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
  static async prepare(
    request: TrialRequest,
    start: (request: TrialRequest, keyLogFile: string) => Promise<ManagedBrowser> = startFor,
  ): Promise<ReadyTrial> {
    const startedAtMs = performance.now();
    const keyLogFile = request.keyLogFile ?? join(request.scratchDirectory, 'keys.log');
    const capture = await TrialCapture.open(request.capture, request.pcapFile);
    try {
      const browser = await start(request, keyLogFile);
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
    const browser = this.#browser;
    await browser.makeReady();
    this.#capture.beginLoad();
    const startedAt = new Date().toISOString();
    const cpuBefore = await readCpuTicks();
    const loadStartMs = performance.now();
    const error = await browser.load(url, loadTimeoutMs);
    const loadedMs = performance.now();
    const cpuAfter = await readCpuTicks();
    onLoaded();

    const navigation = error ? null : await browser.navigation();
    const account = await browser.settle(error ? null : () => this.#capture.quietForMs());
    const quietAtMs = performance.now();

    const capture = await this.#capture.stop();
    await this.#keyLog.close();
    const timeOriginMs = navigation?.timeOriginEpochMs ?? Date.parse(startedAt);
    const resources = account.resources(timeOriginMs);
    // When the browser wanted each is what the wire engine tells waiting in the browser by.
    const wanted = resources.map(({ url, startedAtMs }) => ({ url, wantedAtMs: timeOriginMs + startedAtMs }));
    const wire = this.#capture.analyse(wanted.length === 0 ? [{ url }] : wanted, account.clientPorts);
    const har = harFile === null ? null : account.har();
    if (harFile !== null && har !== null) await writeFile(harFile, JSON.stringify(har, null, 1));
    return {
      startedAt,
      browserVersion: browser.version,
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

/** Starts the browser that the request names. */
async function startFor(request: TrialRequest, keyLogFile: string): Promise<ManagedBrowser> {
  const { arm, http3Origins } = request;
  const { family, ...asked } = request.browser;
  const profileDirectory = join(request.scratchDirectory, 'profile');
  return await startBrowser(family, {
    ...asked,
    ...{ arm, http3Origins, profileDirectory, keyLogFile, sandboxRemedy: userNamespaceRemedy() },
  });
}

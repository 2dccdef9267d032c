import { firefoxArmPreferences } from '../../shared/arms/firefox-arm-preferences.ts';
import { TowlineError } from '../../shared/errors/towline-error.ts';
import type { OwnAccount } from '../../shared/messages/own-browser.ts';
import type { Arm } from '../../shared/record/arm.ts';
import { flushBrowser, forgetConnections } from './flush-browser.ts';
import { loadEvent } from './load-event.ts';
import type { PreferenceSwitch } from './preference-switch.ts';
import { RequestAccount } from './request-account.ts';

const { setTimeout, clearTimeout } = ChromeUtils.importESModule('resource://gre/modules/Timer.sys.mjs');

/** Between two steps pass some ms; whoever takes longer has gone. */
const patienceMs = 15_000;

/** As in a managed browser: a page is over when nothing has moved for so long, and is cut off after so long. */
const quietMs = 500;
const quietLimitMs = 30_000;
const lookEveryMs = 50;

/** The load of one trial, from its first step to its last. */
interface Trial {
  account: RequestAccount | null;
  loaded: boolean;
  giveUp: (() => void) | null;
}

/**
 * Loads for a comparison in this browser, one at a time, each in three steps: {@link begin}, {@link load},
 * {@link finish}. Whatever comes between, everything is put back: by the last step, by {@link stop}, and when the
 * next step does not come.
 */
export class MeasuredLoads {
  readonly #preferences: PreferenceSwitch;
  #trial: Trial | null = null;
  #patience: number | null = null;

  /** @param preferences shared with the loads that the person asks for one by one */
  constructor(preferences: PreferenceSwitch) {
    this.#preferences = preferences;
  }

  get isGoingOn(): boolean {
    return this.#trial !== null;
  }

  /** Sets the arm and makes the browser cold. @throws TowlineError `preference-in-the-way` */
  async begin(arm: Arm, http3Origins: readonly string[]): Promise<void> {
    // One that was left behind by whoever asked for it.
    this.stop();
    const trial: Trial = { account: null, loaded: false, giveUp: null };
    this.#trial = trial;
    try {
      // The person's own negotiation is whatever they have set.
      if (arm !== 'auto') this.#preferences.set(firefoxArmPreferences(arm, http3Origins));
      await flushBrowser();
      this.#goOn(trial);
    } catch (error) {
      if (this.#trial === trial) this.stop();
      throw error;
    }
  }

  /** Loads a page up to its load event. @throws TowlineError as {@link loadEvent} */
  async load(tab: NativeTab, url: string, timeoutMs: number): Promise<void> {
    const trial = this.#current();
    await untilIdle(tab.linkedBrowser);
    trial.account = new RequestAccount(tab.linkedBrowser);
    trial.account.start();
    try {
      await loadEvent(tab, { timeoutMs, onBegin: (giveUp) => (trial.giveUp = giveUp) }, () => {
        tab.linkedBrowser.fixupAndLoadURIString(url, {
          triggeringPrincipal: Services.scriptSecurityManager.getSystemPrincipal(),
          // Dozens of visits that nobody made.
          loadFlags: Ci.nsIWebNavigation.LOAD_FLAGS_BYPASS_HISTORY,
        });
      });
      trial.loaded = true;
    } finally {
      trial.giveUp = null;
      if (this.#trial === trial) this.#goOn(trial);
    }
  }

  /** Waits until a page that was loaded is quiet, puts everything back, and says what the page asked for. */
  async finish(): Promise<OwnAccount> {
    const trial = this.#current();
    const { account, loaded } = trial;
    if (account === null) throw outOfTurn();
    const limitMs = Date.now() + quietLimitMs;
    while (loaded && this.#trial === trial && account.quietForMs() < quietMs && Date.now() < limitMs) {
      await pause(lookEveryMs);
    }
    if (this.#trial !== trial) throw outOfTurn();
    this.stop();
    return account.read();
  }

  /** Puts everything back, whatever goes on. Without a trial it does nothing. */
  stop(): void {
    const trial = this.#trial;
    if (trial === null) return;
    this.#trial = null;
    this.#forgetPatience();
    trial.giveUp?.();
    trial.account?.stop();
    this.#preferences.restore();
    // Else what was connected in the arm would carry what the person does next.
    forgetConnections();
  }

  /** The trial's next step is awaited from now on. */
  #goOn(trial: Trial): void {
    if (this.#trial !== trial) throw outOfTurn();
    this.#forgetPatience();
    this.#patience = setTimeout(() => {
      this.stop();
    }, patienceMs);
  }

  /** The trial whose next step has come. */
  #current(): Trial {
    this.#forgetPatience();
    if (this.#trial === null) throw outOfTurn();
    return this.#trial;
  }

  #forgetPatience(): void {
    if (this.#patience !== null) clearTimeout(this.#patience);
    this.#patience = null;
  }
}

/** A new tab, or one that was just emptied, is still busy with its blank page. */
async function untilIdle(browser: TabBrowser): Promise<void> {
  const limitMs = Date.now() + patienceMs;
  while (browser.webProgress.isLoadingDocument && Date.now() < limitMs) await pause(lookEveryMs);
}

async function pause(ms: number): Promise<void> {
  await new Promise<void>((resolve) => {
    setTimeout(resolve, ms);
  });
}

function outOfTurn(): TowlineError {
  return new TowlineError('own-browser-lost', 'browser', 'The load was ended before it was done.');
}

import { TowlineError } from '../../shared/errors/towline-error.ts';
import type { OwnAnswer, OwnCall } from '../../shared/messages/own-browser.ts';
import type { Arm } from '../../shared/record/arm.ts';
import type { Navigation } from '../../shared/record/trial.ts';
import type { ManagedBrowser, NetworkAccount } from './managed-browser.ts';
import { navigationError } from './navigation-error.ts';
import { ownResources } from './own-resources.ts';
import { quietLimitMs } from './wait-until-quiet.ts';

/** What a step takes beyond the load itself: flushing, and messages between processes. */
const graceMs = 30_000;

export interface OwnBrowserRequest {
  version: string;
  arm: Arm;
  http3Origins: readonly string[];
  /** Has the browser take one step. @throws TowlineError `own-browser-lost` */
  ask: (call: OwnCall, timeoutMs: number) => Promise<OwnAnswer>;
}

/**
 * The person's own browser, as a trial's: it is not started but asked, step by step, through its extension, which puts
 * everything back when the trial's process ends before its last step.
 */
export function ownBrowser({ version, arm, http3Origins, ask }: OwnBrowserRequest): ManagedBrowser {
  let navigation: Navigation | null = null;
  const take = async <Type extends OwnAnswer['type']>(
    call: OwnCall,
    type: Type,
    timeoutMs: number,
  ): Promise<Extract<OwnAnswer, { type: Type }>> => {
    const answer = await ask(call, timeoutMs + graceMs);
    if (answer.type === 'failed') throw TowlineError.fromReport(answer.error);
    if (answer.type !== type) throw outOfTurn(answer.type);
    return answer as Extract<OwnAnswer, { type: Type }>;
  };
  return {
    version,
    async makeReady() {
      await take({ verb: 'begin', arm, http3Origins: [...http3Origins] }, 'begun', 0);
    },
    async load(url, timeoutMs) {
      try {
        ({ navigation } = await take({ verb: 'load', url, timeoutMs }, 'loaded', timeoutMs));
        return null;
      } catch (thrown) {
        if (!(thrown instanceof TowlineError)) throw thrown;
        if (thrown.code === 'navigation-failed') return navigationError(url, thrown, timeoutMs);
        if (thrown.code === 'load-timeout') return thrown;
        throw thrown;
      }
    },
    navigation: () => Promise.resolve(navigation),
    async settle() {
      // The browser itself waits until the page is quiet: other programs' packets say nothing of it.
      const { account } = await take({ verb: 'finish' }, 'finished', quietLimitMs);
      const ports = account.requests.flatMap(({ localPort }) => localPort ?? []).filter((port) => port > 0);
      return {
        resources: (timeOriginEpochMs) => ownResources(account.requests, timeOriginEpochMs),
        altSvc: () => account.altSvc,
        clientPorts: ports.length === 0 ? null : ports,
        har: () => null,
      } satisfies NetworkAccount;
    },
    // Nothing was started. What was begun is put back once this process is gone.
    kill: () => undefined,
  };
}

function outOfTurn(type: string): TowlineError {
  return new TowlineError('bad-message', 'browser', `The browser answered out of turn ("${type}").`, {
    remedy: 'See that the extension and Towline on this machine are of the same version.',
  });
}

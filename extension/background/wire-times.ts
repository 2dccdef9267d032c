import { reportOf } from '../../shared/errors/towline-error.ts';
import type { Observation } from '../../shared/record/observation.ts';
import type { NoTimeReason, ObservedTime } from '../../shared/record/observed-time.ts';
import { loadQuestion, sharedWith } from '../recorder/load-question.ts';
import type { LoadObserved } from '../recorder/observation-receiver.ts';
import type { SeenAddress } from '../recorder/observation-of.ts';
import type { HostPort } from './host-port.ts';
import { within } from './within.ts';

export interface WireTimesDependencies {
  host: Pick<HostPort, 'ask'>;
  /** Has the host watch, if it does not: a host that was started anew does not. */
  watch: () => Promise<void>;
  addresses: {
    of(tabId: number): Promise<readonly SeenAddress[]>;
    ofOthers(tabId: number): Promise<readonly SeenAddress[]>;
  };
  /** The browser tells of requests to every host. */
  seesAll: () => Promise<boolean>;
  store: {
    change(
      id: string,
      change: (before: Observation | null) => Observation | null,
    ): Promise<Observation | null>;
  };
}

/** The host waits half a minute for a page's network to be quiet, and answers then. */
const answerLimitMs = 45_000;

/** Asks the host what packets say of page loads, and keeps the answers with the observations. */
export class WireTimes {
  readonly #dependencies: WireTimesDependencies;
  readonly #asked = new Set<string>();

  constructor(dependencies: WireTimesDependencies) {
    this.#dependencies = dependencies;
  }

  /** Asks about one load, once at a time. Never throws for the host: what it cannot tell is stored with the reason. */
  async ask(load: LoadObserved): Promise<void> {
    const { id } = load.observation;
    if (this.#asked.has(id)) return;
    this.#asked.add(id);
    try {
      const wire = await this.#timeOf(load);
      await this.#dependencies.store.change(id, (before) => before && { ...before, wire });
    } finally {
      this.#asked.delete(id);
    }
  }

  async #timeOf({ observation, tabId, fromMs }: LoadObserved): Promise<ObservedTime> {
    const { host, watch, addresses, seesAll } = this.#dependencies;
    const question = loadQuestion(observation, fromMs, await addresses.of(tabId), await seesAll());
    if (typeof question === 'string') return none(question);
    try {
      await watch();
      const answer = await within(answerLimitMs, host.ask({ type: 'time-on-wire', ...question }));
      if (answer?.type !== 'time-on-wire') return none('unanswered');
      const [inTab, inOthers] = await Promise.all([addresses.of(tabId), addresses.ofOthers(tabId)]);
      const shared = sharedWith(question, answer.untilMs, inTab, inOthers);
      return answer.time.missing === null && shared !== null ? none(shared) : answer.time;
    } catch (thrown) {
      const { message, remedy } = reportOf(thrown, 'capture');
      return { missing: 'not-captured', detail: remedy === null ? message : `${message} ${remedy}` };
    }
  }
}

function none(missing: NoTimeReason): ObservedTime {
  return { missing, detail: null };
}

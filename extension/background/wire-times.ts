import { reportOf } from '../../shared/errors/towline-error.ts';
import type { Observation } from '../../shared/record/observation.ts';
import type { NoTimeReason, ObservedTime } from '../../shared/record/observed-time.ts';
import { cameByWorker, loadQuestion, sharedWith } from '../recorder/load-question.ts';
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
    /** Seen by the workers of an origin; null where the browser does not tell. */
    ofWorkers(origin: string): Promise<readonly SeenAddress[] | null>;
    /** Seen in all other tabs, and by the workers of other origins. */
    ofOthers(tabId: number, origin: string): Promise<readonly SeenAddress[]>;
  };
  /** Another tab shows a page of this origin: its requests may be the same worker's. */
  isOpenElsewhere: (tabId: number, origin: string) => Promise<boolean>;
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
    const { host, watch, addresses, isOpenElsewhere, seesAll } = this.#dependencies;
    const { origin } = new URL(observation.url);
    const [ofTab, ofWorkers, all] = await Promise.all([
      addresses.of(tabId),
      addresses.ofWorkers(origin),
      seesAll(),
    ]);
    const byWorker = cameByWorker(observation, fromMs, ofWorkers ?? []);
    if (byWorker && (ofWorkers === null || !all)) return none('no-addresses');
    const seen = byWorker ? [...ofTab, ...(ofWorkers ?? [])] : ofTab;
    const question = loadQuestion(observation, fromMs, seen, all);
    if (typeof question === 'string') return none(question);
    try {
      await watch();
      const answer = await within(answerLimitMs, host.ask({ type: 'time-on-wire', ...question }));
      if (answer?.type !== 'time-on-wire') return none('unanswered');
      const [inTab, inOthers] = await Promise.all([addresses.of(tabId), addresses.ofOthers(tabId, origin)]);
      const mayBeOfOthers = byWorker && (await isOpenElsewhere(tabId, origin));
      const shared = mayBeOfOthers ? 'shared' : sharedWith(question, answer.untilMs, inTab, inOthers);
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

import type { Observation } from '../../shared/record/observation.ts';
import { beganAtMs } from './load-question.ts';
import { observationOf, type SeenAddress } from './observation-of.ts';
import type { PageObserved } from './page-visit.ts';

export interface ObservationReceiverDependencies {
  store: {
    /** Changes one observation in one transaction; a null result leaves the store as it is. */
    change(
      id: string,
      change: (before: Observation | null) => Observation | null,
    ): Promise<Observation | null>;
    prune(limits: ObservationLimits): Promise<void>;
  };
  /** Addresses seen in a tab, and by the workers of its page, this browser session. */
  addressesOf: (tabId: number, url: string) => Promise<readonly SeenAddress[]>;
  limits: () => Promise<ObservationLimits>;
  /** Whether this page is to be recorded: a page outlives the recorder's being switched off. */
  isWanted: (url: string) => Promise<boolean>;
  /** Whether the host watches packets. */
  isWatched: () => Promise<boolean>;
}

/** A page whose load event has come. */
export interface LoadObserved {
  observation: Observation;
  tabId: number;
  /** When its load began by the clock on the wall, ms since the epoch. */
  fromMs: number;
}

/** How much of what was observed is kept. */
export interface ObservationLimits {
  maxAgeDays: number;
  maxBytes: number;
}

/** Pruning reads an index: not at every message. */
const pruneEvery = 20;

/** Stores what pages tell. It keeps nothing in memory: the browser may end the background at any moment. */
export class ObservationReceiver {
  /** Set by the owner: a document was seen in a tab, and the protocol it came over. */
  onDocument: (tabId: number, protocol: string | null) => void = () => undefined;

  /** Set by the owner: an observation whose packets the host may tell about was stored. */
  onLoaded: (load: LoadObserved) => void = () => undefined;

  readonly #dependencies: ObservationReceiverDependencies;
  #received = 0;

  constructor(dependencies: ObservationReceiverDependencies) {
    this.#dependencies = dependencies;
  }

  /** @returns whether the page is to be asked for more: not when it is not wanted any more, or was erased meanwhile */
  async receive(page: PageObserved, tabId: number): Promise<boolean> {
    const { store, addressesOf, limits, isWanted, isWatched } = this.#dependencies;
    if (!(await isWanted(page.url))) return false;
    const [seen, watched] = await Promise.all([addressesOf(tabId, page.url), isWatched()]);
    const stored = await store.change(page.id, (before) => observationOf(page, before, seen, watched));
    if (stored) this.onDocument(tabId, stored.document?.protocol ?? null);
    if (stored?.wire?.missing === 'unanswered' && stored.loadEventMs !== null) {
      this.onLoaded({ observation: stored, tabId, fromMs: beganAtMs(page) });
    }
    if (this.#received++ % pruneEvery === 0) await store.prune(await limits());
    return stored !== null;
  }
}

import { reportOf, TowlineError } from '../../shared/errors/towline-error.ts';
import type { WatchState } from '../../shared/messages/extension-messages.ts';
import { morePorts, type HostMessage } from '../../shared/messages/host-protocol.ts';
import type { HostPort } from './host-port.ts';
import { within } from './within.ts';

export interface WireWatchDependencies {
  host: Pick<HostPort, 'ask' | 'state'>;
  /** The person has switched it on, and the browser allows what it needs. */
  isWanted: () => Promise<boolean>;
  /** Ports that pages have used besides 443, in memory of the browser session. */
  ports: { load(): Promise<number[]>; save(ports: readonly number[]): Promise<void> };
}

/** Starting a program and opening an interface take less, or do not come. */
const startLimitMs = 15_000;

/**
 * Has the host watch packets for as long as it is wanted. The host forgets it with the connection, so every life of
 * the background, and every new connection, begins it anew.
 */
export class WireWatch {
  /** Set by the owner: {@link state} changed. */
  onChange: () => void = () => undefined;

  readonly #dependencies: WireWatchDependencies;
  #state: WatchState = { state: 'off' };
  #turn: Promise<void> = Promise.resolve();
  /** Ports noted in this life of the background. */
  readonly #noted = new Set<number>();

  constructor(dependencies: WireWatchDependencies) {
    this.#dependencies = dependencies;
  }

  get state(): WatchState {
    return this.#state;
  }

  /** The connection to the host is to be kept. */
  get needsHost(): boolean {
    return this.#state.state !== 'off';
  }

  /** Brings the host in line with what is wanted; asking it again costs nothing. What fails shows as the state. */
  follow(): Promise<void> {
    this.#turn = this.#turn.then(() => this.#follow());
    return this.#turn;
  }

  /** A page has used this server: its port is watched from now on. */
  noteServer(origin: string): void {
    const url = new URL(origin);
    const port = Number(url.port);
    if (url.protocol !== 'https:' || port === 0 || this.#noted.has(port)) return;
    this.#noted.add(port);
    this.#turn = this.#turn.then(async () => {
      const { ports } = this.#dependencies;
      const others = (await ports.load()).filter((other) => other !== port);
      await ports.save([...others, port].slice(-morePorts));
      await this.#follow();
    });
  }

  async #follow(): Promise<void> {
    const { host, isWanted, ports } = this.#dependencies;
    try {
      if (await isWanted()) {
        if (this.#state.state === 'off') this.#become({ state: 'starting' });
        const answer = await this.#ask(host.ask({ type: 'watch', ports: await ports.load() }));
        if (answer.type === 'watching') this.#become({ state: 'on', interface: answer.interface });
      } else if (this.#state.state !== 'off') {
        // A host that is not there watches nothing.
        if (host.state.state === 'ready') await this.#ask(host.ask({ type: 'unwatch' }));
        this.#become({ state: 'off' });
      }
    } catch (thrown) {
      this.#become({ state: 'failed', error: reportOf(thrown, 'capture') });
    }
  }

  async #ask(asked: Promise<HostMessage>): Promise<HostMessage> {
    const answer = await within(startLimitMs, asked);
    if (answer) return answer;
    throw new TowlineError('host-busy', 'messaging', 'The measuring host does not answer.', {
      remedy: 'Load the page again.',
    });
  }

  #become(state: WatchState): void {
    if (JSON.stringify(state) === JSON.stringify(this.#state)) return;
    this.#state = state;
    this.onChange();
  }
}

import { reportOf, TowlineError, type ErrorReport } from '../../shared/errors/towline-error.ts';
import type { HostMessage } from '../../shared/messages/host-protocol.ts';
import type { PageReading } from '../../shared/messages/page-reading.ts';
import type { WithoutHttp3State } from '../../shared/messages/without-http3.ts';
import type { ChallengeAnswer, ProxyChallenge } from '../platform/proxy-challenges.ts';
import type { ProxySetting } from '../platform/proxy-setting.ts';
import type { HostQuestion } from './host-port.ts';
import { pacScript } from './pac-script.ts';
import { relayedLoad } from './relayed-load.ts';
import { relayTarget } from './relay-target.ts';

/** The setting and the reload reach the browser's network by different ways: one may overtake the other. */
const mostReloads = 2;

/** A relay that the host has opened for us. */
interface Relay {
  port: number;
  secret: string;
  /** Requests that were told the secret. One that asks again was refused by somebody else. */
  answered: Set<string>;
}

export interface WithoutHttp3Dependencies {
  proxy: ProxySetting;
  ask: (question: HostQuestion) => Promise<HostMessage>;
  /** Loads the tab anew, past the cache. @returns what its page then tells of itself */
  reload: (tabId: number) => Promise<Pick<PageReading, 'entries'> | null>;
  /** Lets the browser try HTTP/3 again where it has learned that there is no way. */
  forgetAlternatives: () => Promise<void>;
}

/**
 * Keeps one origin of the person's own Chrome from HTTP/3, by a relay in the host that HTTP/3 cannot pass. The proxy
 * setting stands only while that relay does, and the relay only while the connection to the host: so a background
 * that has just begun has none, and takes back what an earlier one may have left.
 */
export class WithoutHttp3 {
  /** Set by the owner: {@link state} changed. */
  onChange: () => void = () => undefined;

  readonly #dependencies: WithoutHttp3Dependencies;
  #state: WithoutHttp3State = { state: 'off', failed: null };
  #relay: Relay | null = null;
  /** Whether the proxy setting is ours to take back. */
  #isSet = false;
  /** Settles when what was left behind is taken back. */
  readonly #cleared: Promise<void>;

  constructor(dependencies: WithoutHttp3Dependencies) {
    this.#dependencies = dependencies;
    this.#cleared = this.#takeBackLeftover();
    dependencies.proxy.onChange((levelOfControl) => {
      if (this.#relay !== null && levelOfControl !== 'controlled_by_this_extension') void this.#end(taken());
    });
    // The relay of an earlier life is gone: to be woken is enough.
    dependencies.proxy.onError(() => undefined);
  }

  get state(): WithoutHttp3State {
    return this.#state;
  }

  /** True while the host is needed. */
  get isOn(): boolean {
    return this.#state.state !== 'off';
  }

  /** Never rejects: what goes wrong becomes the state's error. */
  async start(pageUrl: string, tabId: number): Promise<void> {
    if (this.isOn) return;
    const { origin } = new URL(pageUrl);
    this.#become({ state: 'switching', origin });
    try {
      const { host, port } = relayTarget(pageUrl);
      await this.#cleared;
      await this.#checkProxy();
      const relay = await this.#openRelay(host, port);
      this.#isSet = true;
      await this.#dependencies.proxy.usePacScript(pacScript(origin, relay.port));
      const load = await this.#load(origin, tabId);
      // It may have ended while the page was loading.
      if (this.#relay === relay) this.#become({ state: 'on', origin, load });
    } catch (thrown) {
      await this.#end(reportOf(thrown, 'browser'));
    }
  }

  /** Never rejects, as {@link start}. */
  async stop(): Promise<void> {
    if (this.#state.state !== 'on') return;
    await this.#end(null);
  }

  /** To be called whenever there is no connection to the host: the relay has ended with it. */
  hostGone(): void {
    if (this.#relay === null) return;
    this.#relay = null;
    void this.#end(hostEnded());
  }

  /** The relay's own secret, to the relay alone. */
  answer({ requestId, host, port }: ProxyChallenge): ChallengeAnswer {
    const relay = this.#relay;
    if (relay === null || host !== '127.0.0.1' || port !== relay.port) return null;
    if (relay.answered.has(requestId)) return 'cancel';
    relay.answered.add(requestId);
    return { username: 'towline', password: relay.secret };
  }

  /** @throws TowlineError `proxy-in-the-way` */
  async #checkProxy(): Promise<void> {
    const { mode, levelOfControl } = await this.#dependencies.proxy.read();
    if (levelOfControl === 'controlled_by_other_extensions') {
      throw proxyInTheWay(
        'Another extension decides which proxy this browser uses.',
        'Switch that extension off.',
      );
    }
    if (levelOfControl === 'not_controllable') {
      throw proxyInTheWay('A policy or the command line decides which proxy this browser uses.');
    }
    // `system` too may stand for a proxy, which no extension is told of: the popup says so.
    if (mode !== 'system' && mode !== 'direct') {
      throw proxyInTheWay(
        `This browser is set to use a proxy (${mode ?? 'unknown'}).`,
        'Take that setting back.',
      );
    }
  }

  async #openRelay(host: string, port: number): Promise<Relay> {
    const answer = await this.#dependencies.ask({ type: 'start-relay', host, port });
    if (answer.type !== 'relay') {
      throw new TowlineError('bad-message', 'messaging', 'The host did not open the relay.');
    }
    return (this.#relay = { port: answer.port, secret: answer.secret, answered: new Set() });
  }

  async #load(origin: string, tabId: number): Promise<ReturnType<typeof relayedLoad>> {
    for (let reloads = 1; ; reloads++) {
      const load = relayedLoad(await this.#dependencies.reload(tabId), origin);
      if (load === null || load.http3 === 0 || reloads === mostReloads) return load;
    }
  }

  async #takeBackLeftover(): Promise<void> {
    const { proxy, forgetAlternatives } = this.#dependencies;
    const { levelOfControl } = await proxy.read();
    await proxy.clear();
    if (levelOfControl === 'controlled_by_this_extension') await forgetAlternatives();
  }

  /** The setting goes first: what still asks the relay then finds it, and later requests go direct. */
  async #end(error: ErrorReport | null): Promise<void> {
    if (this.#state.state === 'off') return;
    const { origin } = this.#state;
    const relay = this.#relay;
    this.#relay = null;
    if (this.#isSet) {
      this.#isSet = false;
      await this.#dependencies.proxy.clear();
      await this.#dependencies.forgetAlternatives();
    }
    // Should the host end meanwhile, so does the relay.
    if (relay !== null) await this.#dependencies.ask({ type: 'stop-relay' }).catch(() => undefined);
    this.#become({ state: 'off', failed: error && { origin, error } });
  }

  #become(state: WithoutHttp3State): void {
    this.#state = state;
    this.onChange();
  }
}

function proxyInTheWay(message: string, remedy?: string): TowlineError {
  return new TowlineError('proxy-in-the-way', 'browser', message, remedy === undefined ? {} : { remedy });
}

function taken(): ErrorReport {
  return proxyInTheWay('Another extension has taken over which proxy this browser uses.').toReport();
}

function hostEnded(): ErrorReport {
  return new TowlineError(
    'host-not-installed',
    'messaging',
    'The Towline host has ended, and the relay with it.',
    {
      remedy: 'Switch it on again.',
    },
  ).toReport();
}

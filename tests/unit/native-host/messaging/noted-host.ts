import * as v from 'valibot';
import type { HostRelay, RelayTarget } from '../../../../native-host/messaging/host-relay.ts';
import type { HostRuns } from '../../../../native-host/messaging/host-runs.ts';
import type { HostWindows, OpenWindowRequest } from '../../../../native-host/messaging/host-windows.ts';
import type { HostWatch } from '../../../../native-host/messaging/host-watch.ts';
import { HostPort, type HostPortOptions } from '../../../../native-host/messaging/host-port.ts';
import { TowlineError } from '../../../../shared/errors/towline-error.ts';
import {
  HostMessageSchema,
  protocolVersion,
  type HostMessage,
} from '../../../../shared/messages/host-protocol.ts';
import { exampleStatus } from '../runs/example-status.ts';

export const hello = { type: 'hello', requestId: 'h', protocolVersion, extensionVersion: '0.1.0' };

/** All that a host can be asked for, which is only noted. */
export class NotedHost implements HostRuns, HostWindows {
  readonly relay: HostRelay = {
    start: ({ host, port }: RelayTarget) =>
      this.#note(`relay to ${host} ${port}`, { port: 40_000, secret: 's'.repeat(43) }),
    stop: () => this.#note('no relay', undefined),
  };
  readonly asked: string[] = [];
  recordJson = '{}';

  start = ({ url }: { url: string }) => this.#note(`start ${url}`, exampleStatus('run-1', { url }));
  list = () => this.#note('list', [exampleStatus('run-1')]);
  cancel = (runId: string) => this.#note(`cancel ${runId}`, undefined);
  recordText = (runId: string) => this.#note(`record ${runId}`, this.recordJson);
  release = (runId: string): Promise<void> => {
    this.asked.push(`release ${runId}`);
    return Promise.reject(new TowlineError('unknown-run', 'messaging', 'There is no such run.'));
  };
  answerOwnCall = (runId: string, callId: string, { type }: { type: string }) =>
    this.#note(`answer ${runId} ${callId} ${type}`, undefined);
  watch = () => this.#note('watch', undefined);
  /** Of packets. */
  readonly wire: HostWatch = {
    start: (ports) => this.#note(`watch ${ports.join(' ')}`, 'eth0'),
    stop: () => this.#note('unwatch', undefined),
    timeOf: ({ servers }) => this.#note(`time ${JSON.stringify(servers)}`, this.time),
  };
  time: Awaited<ReturnType<HostWatch['timeOf']>> = { untilMs: 9, time: { missing: 'busy', detail: null } };
  open = ({ url, arm, browser }: OpenWindowRequest) => this.#note(`open ${url} ${arm} ${browser}`, undefined);

  #note<T>(what: string, answer: T): Promise<T> {
    this.asked.push(what);
    return Promise.resolve(answer);
  }
}

/** A port over it. */
export function portOf(
  host: NotedHost,
  { send = () => Promise.resolve(), log = () => undefined }: Partial<Pick<HostPortOptions, 'send' | 'log'>>,
): HostPort {
  const { relay, wire: watch } = host;
  return new HostPort({ runs: host, windows: host, relay, watch, hostVersion: '0.1.0', send, log });
}

/** Gives messages to a port that was greeted, and returns what it answers to them. */
export async function converse(
  messages: readonly unknown[],
  { host = new NotedHost(), greeting = [hello] as readonly unknown[] } = {},
): Promise<HostMessage[]> {
  const answers: HostMessage[] = [];
  const port = portOf(host, {
    send: (message) => {
      answers.push(v.parse(HostMessageSchema, message));
      return Promise.resolve();
    },
  });
  for (const message of greeting) await port.receive(frameOf(message));
  answers.length = 0;
  for (const message of messages) await port.receive(frameOf(message));
  return answers;
}

export function frameOf(message: unknown): { kind: 'message'; body: Buffer } {
  return { kind: 'message', body: Buffer.isBuffer(message) ? message : Buffer.from(JSON.stringify(message)) };
}

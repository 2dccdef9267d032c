import * as v from 'valibot';
import { reportOf, TowlineError } from '../../shared/errors/towline-error.ts';
import type { HostState } from '../../shared/messages/extension-messages.ts';
import {
  HostMessageSchema,
  protocolVersion,
  type HostMessage,
  type HostRequest,
} from '../../shared/messages/host-protocol.ts';
import type { RunStatus } from '../../shared/messages/run-status.ts';
import type { NativePort } from '../platform/native-port.ts';
import { explainClosedPort } from './explain-closed-port.ts';

/** A request without its id, which the port gives it. */
type WithoutId<T> = T extends unknown ? Omit<T, 'requestId'> : never;
export type HostQuestion = WithoutId<Exclude<HostRequest, { type: 'hello' }>>;

export type OwnCallMessage = Extract<HostMessage, { type: 'own-call' }>;

interface Pending {
  /** Returns true when the message was the last of the answer. */
  onMessage(message: HostMessage): boolean;
  onError(error: TowlineError): void;
}

export interface HostPortDependencies {
  openNativePort: () => NativePort;
  extensionVersion: string;
  newId: () => string;
}

/**
 * The conversation with the native host: one connection, opened when first needed, greeted by a version
 * handshake. Every message is checked against the schema; one that does not fit ends the connection, since
 * then the two sides no longer understand each other.
 */
export class HostPort {
  /** Set by the owner: a run's status changed. */
  onRun: (run: RunStatus) => void = () => undefined;
  /** Set by the owner: a run in this browser takes a step, to be answered by `own-answer`. */
  onOwnCall: (call: OwnCallMessage) => void = () => undefined;
  /** Set by the owner: what a run in this browser has begun is to be broken off. */
  onOwnStop: (runId: string) => void = () => undefined;
  /** Set by the owner: {@link state} changed. */
  onStateChange: () => void = () => undefined;

  /** Set by the owner: a connection that had been ready is gone, and nobody here closed it. */
  onLost: () => void = () => undefined;

  readonly #dependencies: HostPortDependencies;
  readonly #pending = new Map<string, Pending>();
  #port: NativePort | null = null;
  #greeted: Promise<void> | null = null;
  #state: HostState = { state: 'asleep' };

  constructor(dependencies: HostPortDependencies) {
    this.#dependencies = dependencies;
  }

  get state(): HostState {
    return this.#state;
  }

  /** Connects and shakes hands, once. @throws TowlineError when the host cannot be reached or understood */
  open(): Promise<void> {
    this.#greeted ??= this.#greet();
    return this.#greeted;
  }

  /** Ends the connection. Runs go on: the host's runs own themselves. */
  close(): void {
    this.#end(new TowlineError('run-cancelled', 'messaging', 'The connection to the host was closed.'), {
      state: 'asleep',
    });
  }

  /** Asks, and gives the host's answer. @throws TowlineError what the host reports, or why it is gone */
  async ask(question: HostQuestion): Promise<HostMessage> {
    await this.open();
    return this.#exchange(question);
  }

  /** The JSON of an ended run's record, put together from its chunks. @throws TowlineError */
  async fetchRecord(runId: string): Promise<string> {
    await this.open();
    const texts: string[] = [];
    return new Promise((resolve, reject) => {
      this.#send(
        { type: 'fetch-record', runId },
        {
          onMessage: (message) => {
            if (message.type !== 'record-chunk' || message.index !== texts.length) {
              reject(unexpected(message));
              return true;
            }
            texts.push(message.text);
            if (texts.length < message.total) return false;
            resolve(texts.join(''));
            return true;
          },
          onError: reject,
        },
      );
    });
  }

  async #greet(): Promise<void> {
    this.#become({ state: 'connecting' });
    try {
      const port = this.#dependencies.openNativePort();
      this.#port = port;
      port.onMessage((message) => {
        this.#receive(message);
      });
      port.onClose((reason) => {
        if (this.#port === port) this.#lost(reason);
      });
      const answer = await this.#exchange({
        type: 'hello',
        protocolVersion,
        extensionVersion: this.#dependencies.extensionVersion,
      });
      if (answer.type !== 'hello') throw unexpected(answer);
      if (answer.protocolVersion !== protocolVersion) throw versionMismatch(answer.protocolVersion);
      this.#become({ state: 'ready', hostVersion: answer.hostVersion });
    } catch (thrown) {
      const error = asTowlineError(thrown);
      this.#end(error, { state: 'unavailable', error: error.toReport() });
      throw error;
    }
  }

  #exchange(question: WithoutId<HostRequest>): Promise<HostMessage> {
    return new Promise((resolve, reject) => {
      this.#send(question, {
        onMessage: (message) => {
          resolve(message);
          return true;
        },
        onError: reject,
      });
    });
  }

  #send(question: WithoutId<HostRequest>, pending: Pending): void {
    const requestId = this.#dependencies.newId();
    this.#pending.set(requestId, pending);
    try {
      this.#port?.post({ ...question, requestId });
    } catch (thrown) {
      this.#pending.delete(requestId);
      pending.onError(asTowlineError(thrown));
    }
  }

  #receive(raw: unknown): void {
    const parsed = v.safeParse(HostMessageSchema, raw);
    if (!parsed.success) {
      const error = new TowlineError(
        'bad-message',
        'messaging',
        `The host sent a message that Towline does not understand: ${parsed.issues[0].message}.`,
        { remedy: 'Update the extension and the host to the same version.' },
      );
      this.#end(error, { state: 'unavailable', error: error.toReport() });
      return;
    }
    const message = parsed.output;
    if (message.type === 'run') {
      this.onRun(message.run);
      return;
    }
    if (message.type === 'own-call') {
      this.onOwnCall(message);
      return;
    }
    if (message.type === 'own-stop') {
      this.onOwnStop(message.runId);
      return;
    }
    const requestId = message.requestId;
    const pending = requestId === null ? undefined : this.#pending.get(requestId);
    if (requestId === null || !pending) return;
    if (message.type === 'error') {
      this.#pending.delete(requestId);
      const { code, stage, message: text, remedy } = message.error;
      pending.onError(new TowlineError(code, stage, text, remedy === null ? {} : { remedy }));
    } else if (pending.onMessage(message)) {
      this.#pending.delete(requestId);
    }
  }

  #lost(reason: string | null): void {
    const error = explainClosedPort(reason);
    const wasReady = this.#state.state === 'ready';
    this.#end(error, wasReady ? { state: 'asleep' } : { state: 'unavailable', error: error.toReport() });
    if (wasReady) this.onLost();
  }

  #end(error: TowlineError, state: HostState): void {
    const port = this.#port;
    this.#port = null;
    this.#greeted = null;
    port?.close();
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const each of pending) each.onError(error);
    this.#become(state);
  }

  #become(state: HostState): void {
    this.#state = state;
    this.onStateChange();
  }
}

function unexpected(message: HostMessage): TowlineError {
  return new TowlineError('bad-message', 'messaging', `The host answered out of turn ("${message.type}").`, {
    remedy: 'Update the extension and the host to the same version.',
  });
}

function versionMismatch(hosts: number): TowlineError {
  const older = hosts < protocolVersion ? 'host' : 'extension';
  return new TowlineError(
    'version-mismatch',
    'messaging',
    `The host speaks version ${hosts} of Towline's protocol, this extension version ${protocolVersion}.`,
    { remedy: `Update the ${older}.` },
  );
}

function asTowlineError(thrown: unknown): TowlineError {
  if (thrown instanceof TowlineError) return thrown;
  return new TowlineError('internal', 'messaging', reportOf(thrown, 'messaging').message, { cause: thrown });
}

import { once } from 'node:events';
import type { ConnectionTransport } from 'puppeteer-core';
import { WebSocket, type RawData } from 'ws';

/** A WebDriver BiDi event, as the browser sent it. */
export interface BidiEvent {
  method: string;
  params: unknown;
}

/** Longest message taken: a body is never asked for, but a page's own text may be long. */
const maxMessageBytes = 256 * 1024 * 1024;

/** Ids of our own commands, beyond what the driver counts up to in one load. */
const firstOwnId = 1_000_000_000;

/**
 * The WebDriver BiDi connection to a browser, driven by puppeteer, with its events handed out as they are:
 * puppeteer keeps the protocol, the sizes and most of the timing of a request to itself.
 */
export class BidiTransport implements ConnectionTransport {
  onmessage?: (message: string) => void;
  onclose?: () => void;
  /** Told of every event, before puppeteer is. */
  onEvent: (event: BidiEvent) => void = () => undefined;

  readonly #socket: WebSocket;
  readonly #pending = new Map<number, (answer: BidiAnswer) => void>();
  #nextId = firstOwnId;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data) => {
      this.#receive(textOf(data));
    });
    socket.on('close', () => this.onclose?.());
    // A broken connection is closed too; there is nothing more to tell.
    socket.on('error', () => undefined);
  }

  /** @param endpoint as the browser tells it on standard error. Errors of the connection pass through. */
  static async open(endpoint: string): Promise<BidiTransport> {
    const socket = new WebSocket(`${endpoint}/session`, {
      perMessageDeflate: false,
      maxPayload: maxMessageBytes,
    });
    await once(socket, 'open');
    return new BidiTransport(socket);
  }

  /** Sends puppeteer's command on. */
  send(message: string): void {
    const { id, method } = JSON.parse(message) as { id: number; method: string };
    // Puppeteer would have every body kept, for whoever asks later: that is work while the page loads.
    if (method === 'network.addDataCollector') {
      const refusal = { type: 'error', id, error: 'unsupported operation', message: 'Bodies are not kept.' };
      queueMicrotask(() => this.onmessage?.(JSON.stringify(refusal)));
    } else {
      this.#socket.send(message);
    }
  }

  close(): void {
    this.#socket.close();
  }

  /** Sends a command of ours. @throws Error with the browser's words when it refuses */
  async command(method: string, params: unknown): Promise<void> {
    const id = this.#nextId++;
    const answer = await new Promise<BidiAnswer>((resolve) => {
      this.#pending.set(id, resolve);
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
    if (answer.type === 'error') throw new Error(`${method}: ${answer.message ?? 'refused'}`);
  }

  #receive(message: string): void {
    const answer = JSON.parse(message) as BidiAnswer;
    const own = typeof answer.id === 'number' ? this.#pending.get(answer.id) : undefined;
    if (own && typeof answer.id === 'number') {
      this.#pending.delete(answer.id);
      own(answer);
      return;
    }
    if (answer.type === 'event') this.onEvent({ method: answer.method ?? '', params: answer.params });
    this.onmessage?.(message);
  }
}

/** The envelope of all that the browser sends (WebDriver BiDi, section 3.3). */
interface BidiAnswer {
  type: 'success' | 'error' | 'event';
  id?: number | null;
  method?: string;
  params?: unknown;
  message?: string;
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString();
  return (data instanceof ArrayBuffer ? Buffer.from(data) : data).toString();
}

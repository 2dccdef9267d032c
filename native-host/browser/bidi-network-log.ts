import type { BidiEvent } from './bidi-transport.ts';

/** Times of a request, ms since 1970; 0 for what it did not go through (BiDi's `network.FetchTimingInfo`). */
export interface BidiTimings {
  requestTime: number;
  dnsStart: number;
  dnsEnd: number;
  connectStart: number;
  connectEnd: number;
  tlsStart: number;
  tlsEnd: number;
  requestStart: number;
  responseStart: number;
  responseEnd: number;
}

export interface BidiHeader {
  name: string;
  value: { type: 'string' | 'base64'; value: string };
}

export interface BidiRequest {
  request: string;
  url: string;
  method: string;
  headers: BidiHeader[];
  headersSize: number | null;
  bodySize: number | null;
  /** As Fetch has it: `document`, `image`, `style`, ...; empty for fetch() and its like. */
  destination: string;
  initiatorType: string | null;
  timings: BidiTimings;
}

export interface BidiResponse {
  url: string;
  protocol: string;
  status: number;
  statusText: string;
  fromCache: boolean;
  headers: BidiHeader[];
  mimeType: string;
  /** Header and body, as they came over the network. */
  bytesReceived: number;
  headersSize: number | null;
  bodySize: number | null;
}

/** Parameters of the `network.*` events, as far as they are read here. */
interface BidiNetworkEvent {
  request: BidiRequest;
  redirectCount: number;
  /** When the event was made, ms since 1970. */
  timestamp: number;
  response?: BidiResponse;
  errorText?: string;
}

/** One request, as far as the browser has told of it. */
export interface BidiExchange {
  /** From the last event, which knows most. */
  request: BidiRequest;
  response: BidiResponse | null;
  /** When the browser said that it had ended, ms since 1970; null while it is under way. */
  endedAtEpochMs: number | null;
  /** The browser's name of what went wrong; null when nothing did. */
  failure: string | null;
}

/** The events that {@link BidiNetworkLog} reads. */
export const bidiNetworkEvents = [
  'network.beforeRequestSent',
  'network.responseStarted',
  'network.responseCompleted',
  'network.fetchError',
] as const;

/** Collects the browser's own account of every request, redirects apart, in the order they were sent. */
export class BidiNetworkLog {
  readonly #exchanges = new Map<string, BidiExchange>();
  #open = 0;
  /** Monotonic ms of the last event that started or ended a request. */
  #lastActivityMs = performance.now();

  get exchanges(): readonly BidiExchange[] {
    return [...this.#exchanges.values()];
  }

  /** How long no request has been open, ms; 0 while one is. */
  quietForMs(): number {
    return this.#open > 0 ? 0 : performance.now() - this.#lastActivityMs;
  }

  /** Takes any BiDi event; those of other modules are passed over. */
  hear({ method, params }: BidiEvent): void {
    if (!(bidiNetworkEvents as readonly string[]).includes(method)) return;
    const event = params as BidiNetworkEvent;
    if (!/^https?:/.test(event.request.url)) return;
    const exchange = this.#exchangeOf(event);
    exchange.request = event.request;
    exchange.response = event.response ?? exchange.response;
    if (method === 'network.fetchError') exchange.failure = event.errorText ?? 'failed';
    if (method === 'network.responseCompleted' || method === 'network.fetchError') {
      if (exchange.endedAtEpochMs === null) this.#count(-1);
      exchange.endedAtEpochMs = event.timestamp;
    }
  }

  #exchangeOf({ request, redirectCount }: BidiNetworkEvent): BidiExchange {
    const key = `${request.request} ${redirectCount}`;
    const known = this.#exchanges.get(key);
    if (known) return known;
    const exchange: BidiExchange = { request, response: null, endedAtEpochMs: null, failure: null };
    this.#exchanges.set(key, exchange);
    this.#count(1);
    return exchange;
  }

  #count(change: 1 | -1): void {
    this.#open += change;
    this.#lastActivityMs = performance.now();
  }
}

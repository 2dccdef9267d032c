import type { Protocol } from '../../shared/record/arm.ts';
import type { FlowRecord } from './flow-record.ts';
import type { HttpExchange } from './http/http-exchange.ts';
import type { Estimate } from './keyless/estimate.ts';
import type { RttSummary } from './rtt-series.ts';
import type { TcpCounts } from './tcp/tcp-counts.ts';
import type { HandshakeFacts } from './tls/handshake-facts.ts';

/** A TCP or QUIC connection as the page's figures need it, whatever is inside. */
export interface Connection {
  readonly transport: 'tcp' | 'quic';
  /** In a word, for counting packets that are not the page's: `tls`, `quic`, `http`, `tcp`. */
  readonly kind: string;
  /** Null in the clear. */
  readonly handshake: HandshakeFacts | null;
  /** Null on TCP. */
  readonly quicVersion: string | null;
  readonly protocol: Protocol | null;
  readonly scheme: 'http' | 'https';
  /** Its requests can be read: it was decrypted, or never encrypted. */
  readonly keyed: boolean;
  readonly exchanges: readonly HttpExchange[];
  /** Requests that the server lets be open at once; null where it said none, or could not be read. */
  readonly streamLimit: number | null;
  /** The client's first packet of all, ms since 1970; the first packet where only the server's are seen. */
  readonly openedAtMs: number;
  /** From the first client packet to the first answer, ms. */
  readonly handshakeRttMs: number | null;
  /** When the client could send a request: its Finished was sent, or without TLS the SYN-ACK was there. */
  readonly readyAtMs: number | null;
  readonly notes: readonly string[];
  /** What it did since the last call, or since its beginning. */
  takeActivity(): Activity;
  /** The key log has grown. */
  onKeys(): void;
  /** No more packets or keys will come. */
  finish(atMs: number): void;
}

/** What a connection did during one page load. */
export interface Activity {
  readonly connection: Connection;
  readonly flow: FlowRecord;
  /** Null on QUIC. */
  readonly tcp: TcpCounts | null;
  /** After the handshake. */
  readonly roundTrips: RoundTrips;
  /** By the rules that need no keys; null when there was no request by them. */
  readonly firstRequest: Estimate | null;
  readonly lastResponse: Estimate | null;
}

/** Round trips seen on a connection during one page load, or why there are none. */
export type RoundTrips =
  | { readonly series: RttSummary; readonly by: 'tcp-ack' | 'quic-ack' | 'spin-bit'; readonly missing: null }
  | { readonly series: null; readonly by: null; readonly missing: string };

/** What an ALPN name stands for here. */
export function protocolOfAlpn(alpn: string): Protocol {
  if (alpn === 'http/1.1' || alpn === 'http/1.0') return 'h1';
  if (alpn === 'h2') return 'h2';
  return alpn === 'h3' ? 'h3' : 'other';
}

/** The protocol as negotiated, else the only one offered, else null. */
export function protocolOfHandshake({ alpn, alpnOffered }: HandshakeFacts): Protocol | null {
  const [only, ...more] = alpnOffered;
  if (alpn !== null) return protocolOfAlpn(alpn);
  return only !== undefined && more.length === 0 ? protocolOfAlpn(only) : null;
}

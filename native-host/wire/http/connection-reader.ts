import type { Direction, TlsSink } from '../stream-sink.ts';
import type { HttpExchange } from './http-exchange.ts';

/** Reads the requests of one TCP connection, HTTP/1.1 or HTTP/2, from its decrypted bytes. */
export interface ConnectionReader extends Pick<TlsSink, 'onApplicationData' | 'onApplicationGap'> {
  /** In the order in which they were first seen; what is still open is in it, and goes on changing. */
  readonly exchanges: readonly HttpExchange[];
  /** What could not be read, one sentence each. */
  readonly notes: readonly string[];
  /** The sender closed this direction (close_notify or FIN): nothing more of it will come. */
  onEnd(direction: Direction): void;
}

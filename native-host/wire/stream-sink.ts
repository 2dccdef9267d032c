/**
 * How bytes travel up through the wire engine: frames become TCP bytes and UDP datagrams, these become TLS
 * records and QUIC packets, these become plaintext, and plaintext becomes requests.
 *
 * Everywhere: times are ms since 1970; "up" is away from the browser; every `Uint8Array` handed over is a
 * view that is valid during the call only, so whoever keeps bytes copies them; nobody throws on any bytes.
 */

/** `up` is sent by the browser, `down` is sent to it. */
export type Direction = 'up' | 'down';

/**
 * When a piece of a byte stream (a TLS record, a stretch of a QUIC stream) was seen.
 *
 * A piece with `deliveredAtMs > lastAtMs` was there but held up: an earlier byte of its TCP connection, or
 * of its QUIC stream, was still missing. A piece that itself filled the hole has both equal.
 */
export interface Span {
  /** Earliest arrival of a packet that first brought some of its bytes. */
  readonly firstAtMs: number;
  /** Latest arrival of a packet that first brought some of its bytes. */
  readonly lastAtMs: number;
  /** When all of it, and everything before it, had arrived: when the receiver could read it. */
  readonly deliveredAtMs: number;
}

/** Takes one TCP connection's bytes in order: implemented by TlsConnection and, in the clear, Http1Reader's feeder. */
export interface ByteSink {
  /**
   * The next bytes of a direction. One call holds bytes of one packet only.
   *
   * @param arrivedAtMs when the packet that first brought them arrived
   * @param deliveredAtMs when they were next in order; later than `arrivedAtMs` behind a hole
   */
  onBytes(direction: Direction, bytes: Uint8Array, arrivedAtMs: number, deliveredAtMs: number): void;
  /**
   * The next `lengthBytes` of a direction were sent but are not in the capture: missed, or beyond the snap
   * length. What follows is in order again.
   */
  onGap(direction: Direction, lengthBytes: number, atMs: number): void;
}

/** Takes what a TLS connection carries. Implemented by the analyzer, called by TlsConnection. */
export interface TlsSink {
  /**
   * A TLS record as seen in the clear, keys or not, in the order of its direction. Called before the
   * {@link onApplicationData} it may lead to.
   *
   * @param contentType the outer one, RFC 8446 section 5.1
   * @param lengthBytes of the record's body, header left out
   */
  onRecord(direction: Direction, contentType: number, lengthBytes: number, span: Span): void;
  /**
   * The plaintext of one application-data record, padding removed. Handshake messages, tickets and alerts
   * never come here. With late keys these calls come late too; spans stay those of the packets.
   */
  onApplicationData(direction: Direction, plaintext: Uint8Array, span: Span): void;
  /** Application bytes of a keyed direction that cannot be read: what follows does not join what came before. */
  onApplicationGap(direction: Direction, atMs: number): void;
}

/** Takes what a QUIC connection carries. Implemented by the analyzer, called by QuicConnection. */
export interface QuicSink {
  /**
   * A QUIC packet as seen in the clear, keys or not.
   *
   * @param form `short` is a 1-RTT packet
   * @param lengthBytes of the packet within its datagram
   */
  onPacket(
    direction: Direction,
    form: 'initial' | '0-rtt' | 'handshake' | 'retry' | 'version-negotiation' | 'short',
    lengthBytes: number,
    atMs: number,
  ): void;
  /**
   * The next bytes of a stream, in order of the stream. `bytes` may be empty when only `fin` is new.
   *
   * @param span of the packets that first brought these bytes, and when they were next in order
   */
  onStreamData(
    direction: Direction,
    streamId: number,
    offset: number,
    bytes: Uint8Array,
    fin: boolean,
    span: Span,
  ): void;
  /** RESET_STREAM (`direction` is the sender's) was seen: no more bytes of this stream will come. */
  onStreamReset(direction: Direction, streamId: number, atMs: number): void;
}

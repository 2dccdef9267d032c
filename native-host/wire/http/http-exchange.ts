/** A stretch of a response, in its order. */
export interface ResponseSegment {
  /** Latest arrival of a packet that first brought some of it, ms since 1970. */
  readonly arrivedAtMs: number;
  /** When it could be read: later than `arrivedAtMs` when it waited behind a hole. */
  readonly deliveredAtMs: number;
  /** Header block and body bytes in it. */
  readonly bytes: number;
}

/**
 * One request and its response as read from decrypted bytes. All times are ms since 1970, of packets as they
 * arrived. Null is what was not seen, or could not be read.
 *
 * Bytes count header blocks and bodies as sent: compressed, without frame headers, chunk sizes or padding.
 * Nothing that is not of the request or response counts: no SETTINGS, PING, WINDOW_UPDATE, GOAWAY, no control,
 * encoder or decoder stream.
 */
export interface HttpExchange {
  /** HTTP/2 or QUIC stream; for HTTP/1.1 the ordinal of the request on its connection, from 1. */
  readonly streamId: number;
  /** True when the server sent it unasked (HTTP/2 and HTTP/3 server push). */
  readonly pushed: boolean;
  readonly method: string | null;
  readonly scheme: string | null;
  readonly authority: string | null;
  readonly path: string | null;
  /** Of the final response; of an interim one (1xx) while there is no other. */
  readonly status: number | null;
  /** Packet of the request's first byte; null when the capture began after it. */
  readonly requestFirstAtMs: number | null;
  /** Packet that completes the request, or the last of it that was seen. */
  readonly requestLastAtMs: number | null;
  /** Packet of the first byte of the first header block of the response, interim responses included. */
  readonly responseFirstAtMs: number | null;
  /** Packet of the response's last byte, or of the END_STREAM or FIN after it. */
  readonly responseLastAtMs: number | null;
  readonly requestBytes: number;
  readonly responseBytes: number;
  /** True when the response ended as its protocol says, not by a cut. */
  readonly complete: boolean;
  /** True when either side gave the stream up before that. */
  readonly reset: boolean;
  /** The response in time: neighbours are merged where there are too many to keep. */
  readonly segments: readonly ResponseSegment[];
}

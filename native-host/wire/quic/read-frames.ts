import { ByteCursor } from '../tls/byte-cursor.ts';

/** Takes the frames of a packet that matter to a reader. All bytes are views into the packet. */
export interface FrameVisitor {
  /**
   * @param largest packet number acknowledged
   * @param delay as encoded: to be scaled by the sender's ack_delay_exponent, RFC 9000 section 19.3
   */
  onAck(largest: number, delay: number): void;
  onCrypto(offset: number, bytes: Uint8Array): void;
  onStream(streamId: number, offset: number, bytes: Uint8Array, fin: boolean): void;
  onResetStream(streamId: number): void;
  onStopSending(streamId: number): void;
  onNewConnectionId(connectionId: Uint8Array): void;
  onPathChallenge(): void;
  onHandshakeDone(): void;
  /** Some frame of the packet has to be acknowledged (RFC 9000 section 13.2.1). Called once, after all frames. */
  onAckEliciting(): void;
  /** @param application true for an error of HTTP/3, false for one of QUIC itself */
  onConnectionClose(errorCode: number, application: boolean): void;
}

/** Of a stateless reset token, RFC 9000 section 19.15. */
const resetTokenBytes = 16;

/** PADDING, ACK and CONNECTION_CLOSE. */
const notAckEliciting: ReadonlySet<number> = new Set([0x00, 0x02, 0x03, 0x1c, 0x1d]);

/** Of PATH_CHALLENGE and PATH_RESPONSE. */
const pathDataBytes = 8;

/**
 * Walks the frames of a packet, RFC 9000 section 19, and those that browsers negotiate besides: DATAGRAM
 * (RFC 9221), ACK_FREQUENCY and IMMEDIATE_ACK (draft-ietf-quic-ack-frequency), RESET_STREAM_AT.
 *
 * @returns the type at which it had to stop, since a frame's length is known by its type alone; null when
 *   all was read
 */
export function readFrames(payload: Uint8Array, visitor: FrameVisitor): number | null {
  const cursor = new ByteCursor(payload);
  let ackEliciting = false;
  let unread: number | null = null;
  while (cursor.left > 0 && unread === null) {
    const type = cursor.varint();
    if (!readFrame(type, cursor, visitor) || cursor.failed) unread = type;
    ackEliciting ||= !notAckEliciting.has(type);
  }
  if (ackEliciting) visitor.onAckEliciting();
  return unread;
}

/** @returns false for an unknown type */
function readFrame(type: number, cursor: ByteCursor, visitor: FrameVisitor): boolean {
  if (type >= 0x08 && type <= 0x0f) {
    readStream(type, cursor, visitor);
    return true;
  }
  switch (type) {
    case 0x00: // PADDING
    case 0x01: // PING
    case 0x1f: // IMMEDIATE_ACK
      return true;
    case 0x02:
    case 0x03:
      readAck(type, cursor, visitor);
      return true;
    case 0x04: // RESET_STREAM
    case 0x24: {
      const streamId = cursor.varint();
      skipVarints(cursor, type === 0x04 ? 2 : 3);
      if (!cursor.failed) visitor.onResetStream(streamId);
      return true;
    }
    case 0x05: {
      const streamId = cursor.varint();
      cursor.varint();
      if (!cursor.failed) visitor.onStopSending(streamId);
      return true;
    }
    case 0x06: {
      const offset = cursor.varint();
      const bytes = cursor.take(cursor.varint());
      if (!cursor.failed) visitor.onCrypto(offset, bytes);
      return true;
    }
    case 0x07: // NEW_TOKEN
    case 0x31: // DATAGRAM with a length
      cursor.skip(cursor.varint());
      return true;
    case 0x30: // DATAGRAM to the end
      cursor.skip(cursor.left);
      return true;
    case 0x10: // MAX_DATA
    case 0x12: // MAX_STREAMS
    case 0x13:
    case 0x14: // DATA_BLOCKED
    case 0x16: // STREAMS_BLOCKED
    case 0x17:
    case 0x19: // RETIRE_CONNECTION_ID
      skipVarints(cursor, 1);
      return true;
    case 0x11: // MAX_STREAM_DATA
    case 0x15: // STREAM_DATA_BLOCKED
      skipVarints(cursor, 2);
      return true;
    case 0xaf: // ACK_FREQUENCY
      skipVarints(cursor, 4);
      return true;
    case 0x18: {
      skipVarints(cursor, 2);
      const connectionId = cursor.take(cursor.u8());
      cursor.skip(resetTokenBytes);
      if (!cursor.failed) visitor.onNewConnectionId(connectionId);
      return true;
    }
    case 0x1a:
    case 0x1b:
      cursor.skip(pathDataBytes);
      if (!cursor.failed && type === 0x1a) visitor.onPathChallenge();
      return true;
    case 0x1c:
    case 0x1d: {
      const errorCode = cursor.varint();
      if (type === 0x1c) cursor.varint();
      cursor.skip(cursor.varint());
      if (!cursor.failed) visitor.onConnectionClose(errorCode, type === 0x1d);
      return true;
    }
    case 0x1e:
      visitor.onHandshakeDone();
      return true;
    default:
      return false;
  }
}

function readStream(type: number, cursor: ByteCursor, visitor: FrameVisitor): void {
  const streamId = cursor.varint();
  const offset = (type & 0x04) === 0 ? 0 : cursor.varint();
  const bytes = cursor.take((type & 0x02) === 0 ? cursor.left : cursor.varint());
  if (!cursor.failed) visitor.onStream(streamId, offset, bytes, (type & 0x01) !== 0);
}

function readAck(type: number, cursor: ByteCursor, visitor: FrameVisitor): void {
  const largest = cursor.varint();
  const delay = cursor.varint();
  const ranges = cursor.varint();
  cursor.varint();
  for (let range = 0; range < ranges && !cursor.failed; range += 1) skipVarints(cursor, 2);
  if (type === 0x03) skipVarints(cursor, 3);
  if (!cursor.failed) visitor.onAck(largest, delay);
}

function skipVarints(cursor: ByteCursor, count: number): void {
  for (let i = 0; i < count; i += 1) cursor.varint();
}

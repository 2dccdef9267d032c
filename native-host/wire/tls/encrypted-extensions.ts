import { ByteCursor } from './byte-cursor.ts';
import { alpnNames, extension, forEachExtension } from './hello-extensions.ts';

const ackDelayExponentId = 0x0a;
const initialMaxStreamsBidiId = 0x08;
/** Where the server does not say otherwise, RFC 9000 section 18.2. */
export const usualAckDelayExponent = 3;
const largestAckDelayExponent = 20;

/** What a TLS 1.3 server says in its first encrypted message, RFC 8446 section 4.3.1. */
export interface EncryptedExtensions {
  readonly alpn: string | null;
  /** The server takes the client's 0-RTT data. */
  readonly earlyData: boolean;
  /** Of a QUIC server: what its ACK delays are scaled by, as a power of two. */
  readonly ackDelayExponent: number;
  /** Of a QUIC server: how many bidirectional streams the client may open at first; null of another. */
  readonly requestStreams: number | null;
}

/** @param body the handshake message without its four-byte header */
export function parseEncryptedExtensions(body: Uint8Array): EncryptedExtensions {
  const cursor = new ByteCursor(body);
  const said: { -readonly [Name in keyof EncryptedExtensions]: EncryptedExtensions[Name] } = {
    ...{ alpn: null, earlyData: false, ackDelayExponent: usualAckDelayExponent, requestStreams: null },
  };
  forEachExtension(cursor.part(cursor.u16()), (type, extensionBody) => {
    if (type === extension.alpn) said.alpn = alpnNames(extensionBody)[0] ?? null;
    else if (type === extension.earlyData) said.earlyData = true;
    else if (type === extension.quicTransportParameters)
      Object.assign(said, transportParametersOf(extensionBody));
  });
  return said;
}

/** What is read of the transport parameters, RFC 9000 section 18.2, with what an absent one means. */
function transportParametersOf(parameters: ByteCursor): { ackDelayExponent: number; requestStreams: number } {
  const found = { ackDelayExponent: usualAckDelayExponent, requestStreams: 0 };
  while (parameters.left > 0) {
    const id = parameters.varint();
    const body = parameters.part(parameters.varint());
    if (parameters.failed) break;
    if (id !== ackDelayExponentId && id !== initialMaxStreamsBidiId) continue;
    const value = body.varint();
    if (body.failed) continue;
    if (id === initialMaxStreamsBidiId) found.requestStreams = value;
    else if (value <= largestAckDelayExponent) found.ackDelayExponent = value;
  }
  return found;
}

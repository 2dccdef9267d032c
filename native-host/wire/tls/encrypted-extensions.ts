import { ByteCursor } from './byte-cursor.ts';
import { alpnNames, extension, forEachExtension } from './hello-extensions.ts';

const ackDelayExponentId = 0x0a;
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
}

/** @param body the handshake message without its four-byte header */
export function parseEncryptedExtensions(body: Uint8Array): EncryptedExtensions {
  const cursor = new ByteCursor(body);
  let alpn: string | null = null;
  let earlyData = false;
  let ackDelayExponent = usualAckDelayExponent;
  forEachExtension(cursor.part(cursor.u16()), (type, extensionBody) => {
    if (type === extension.alpn) alpn = alpnNames(extensionBody)[0] ?? null;
    else if (type === extension.earlyData) earlyData = true;
    else if (type === extension.quicTransportParameters) ackDelayExponent = ackDelayExponentOf(extensionBody);
  });
  return { alpn, earlyData, ackDelayExponent };
}

/** Of the transport parameters, RFC 9000 section 18. */
function ackDelayExponentOf(parameters: ByteCursor): number {
  while (parameters.left > 0) {
    const id = parameters.varint();
    const value = parameters.part(parameters.varint());
    if (parameters.failed) break;
    if (id !== ackDelayExponentId) continue;
    const exponent = value.varint();
    return value.failed || exponent > largestAckDelayExponent ? usualAckDelayExponent : exponent;
  }
  return usualAckDelayExponent;
}

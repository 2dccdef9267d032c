import { ByteCursor } from './byte-cursor.ts';
import { alpnNames, extension, forEachExtension } from './hello-extensions.ts';

/** What a TLS 1.3 server says in its first encrypted message, RFC 8446 section 4.3.1. */
export interface EncryptedExtensions {
  readonly alpn: string | null;
  /** The server takes the client's 0-RTT data. */
  readonly earlyData: boolean;
}

/** @param body the handshake message without its four-byte header */
export function parseEncryptedExtensions(body: Uint8Array): EncryptedExtensions {
  const cursor = new ByteCursor(body);
  let alpn: string | null = null;
  let earlyData = false;
  forEachExtension(cursor.part(cursor.u16()), (type, extensionBody) => {
    if (type === extension.alpn) alpn = alpnNames(extensionBody)[0] ?? null;
    else if (type === extension.earlyData) earlyData = true;
  });
  return { alpn, earlyData };
}

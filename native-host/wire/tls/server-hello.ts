import { ByteCursor } from './byte-cursor.ts';
import { alpnNames, extension, forEachExtension } from './hello-extensions.ts';

/** What a ServerHello settles, RFC 8446 section 4.1.3. */
export interface ServerHello {
  readonly random: Uint8Array;
  readonly cipherSuite: number;
  /** `0x0303` is TLS 1.2, `0x0304` is TLS 1.3. */
  readonly version: number;
  /** Only TLS 1.2 says it here; TLS 1.3 says it encrypted. */
  readonly alpn: string | null;
  /** TLS 1.3: the session is resumed, or an external key is used. */
  readonly preSharedKey: boolean;
  /** TLS 1.2 with AES-CBC: the MAC is made of what is sealed, RFC 7366. */
  readonly encryptThenMac: boolean;
  /** It is a HelloRetryRequest: the client will send a second ClientHello. */
  readonly helloRetryRequest: boolean;
}

/** The random of every HelloRetryRequest: SHA-256 of "HelloRetryRequest", RFC 8446 section 4.1.3. */
const helloRetryRandom = 'cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c';

/** @param body the handshake message without its four-byte header; null when it is no ServerHello */
export function parseServerHello(body: Uint8Array): ServerHello | null {
  const cursor = new ByteCursor(body);
  let version = cursor.u16();
  const random = cursor.take(32);
  cursor.skip(cursor.u8()); // session id
  const cipherSuite = cursor.u16();
  cursor.skip(1); // compression method
  if (cursor.failed) return null;

  let alpn: string | null = null;
  let preSharedKey = false;
  let encryptThenMac = false;
  forEachExtension(cursor.part(cursor.u16()), (type, extensionBody) => {
    if (type === extension.supportedVersions) version = extensionBody.u16();
    else if (type === extension.alpn) alpn = alpnNames(extensionBody)[0] ?? null;
    else if (type === extension.preSharedKey) preSharedKey = true;
    else if (type === extension.encryptThenMac) encryptThenMac = true;
  });
  return {
    random: Uint8Array.from(random),
    cipherSuite,
    version,
    alpn,
    preSharedKey,
    encryptThenMac,
    helloRetryRequest: Buffer.from(random).toString('hex') === helloRetryRandom,
  };
}

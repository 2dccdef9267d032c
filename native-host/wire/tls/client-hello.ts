import { ByteCursor } from './byte-cursor.ts';
import { alpnNames, extension, forEachExtension } from './hello-extensions.ts';

/** What a ClientHello says in the clear, RFC 8446 section 4.1.2. */
export interface ClientHello {
  /** Lower-case hexadecimal, as in key logs. */
  readonly random: string;
  /** Empty when absent. */
  readonly sessionId: Uint8Array;
  readonly sni: string | null;
  readonly alpnOffered: readonly string[];
  /** Whether TLS 1.3 is among the versions offered. */
  readonly offersTls13: boolean;
  readonly offersPreSharedKey: boolean;
  readonly offersEarlyData: boolean;
  /** The extension is there. Browsers also send it filled with random bytes, told apart by nobody (RFC 9849). */
  readonly encryptedClientHello: boolean;
}

/** @param body the handshake message without its four-byte header; null when it is no ClientHello */
export function parseClientHello(body: Uint8Array): ClientHello | null {
  const cursor = new ByteCursor(body);
  cursor.skip(2);
  const random = Buffer.from(cursor.take(32)).toString('hex');
  const sessionId = cursor.take(cursor.u8());
  cursor.skip(cursor.u16()); // cipher suites
  cursor.skip(cursor.u8()); // compression methods
  if (cursor.failed || sessionId.length > 32) return null;

  let sni: string | null = null;
  let alpnOffered: string[] = [];
  let offersTls13 = false;
  let offersPreSharedKey = false;
  let offersEarlyData = false;
  let encryptedClientHello = false;
  forEachExtension(cursor.part(cursor.u16()), (type, extensionBody) => {
    switch (type) {
      case extension.serverName:
        sni = serverName(extensionBody);
        break;
      case extension.alpn:
        alpnOffered = alpnNames(extensionBody);
        break;
      case extension.supportedVersions:
        offersTls13 = offersVersion(extensionBody, 0x0304);
        break;
      case extension.preSharedKey:
        offersPreSharedKey = true;
        break;
      case extension.earlyData:
        offersEarlyData = true;
        break;
      case extension.encryptedClientHello:
        encryptedClientHello = true;
        break;
    }
  });
  return {
    random,
    sessionId,
    sni,
    alpnOffered,
    offersTls13,
    offersPreSharedKey,
    offersEarlyData,
    encryptedClientHello,
  };
}

/** The first host_name of a server_name extension, RFC 6066 section 3. */
function serverName(body: ByteCursor): string | null {
  const list = body.part(body.u16());
  while (list.left > 0) {
    const type = list.u8();
    const name = list.take(list.u16());
    if (type === 0 && name.length > 0) return Buffer.from(name).toString('latin1');
  }
  return null;
}

function offersVersion(body: ByteCursor, version: number): boolean {
  const list = body.part(body.u8());
  while (list.left >= 2) if (list.u16() === version) return true;
  return false;
}

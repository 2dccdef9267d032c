import type { ByteCursor } from './byte-cursor.ts';

/** Extension numbers read here, IANA TLS ExtensionType Values. */
export const extension = {
  serverName: 0,
  alpn: 16,
  encryptThenMac: 22,
  preSharedKey: 41,
  earlyData: 42,
  supportedVersions: 43,
  quicTransportParameters: 57,
  encryptedClientHello: 0xfe0d,
} as const;

/** Walks an extension block; `visit` gets each extension's number and a cursor over its body. */
export function forEachExtension(block: ByteCursor, visit: (type: number, body: ByteCursor) => void): void {
  while (block.left >= 4) {
    const type = block.u16();
    const body = block.part(block.u16());
    if (block.failed) return;
    visit(type, body);
  }
}

/** The names of an ALPN extension, RFC 7301 section 3.1. */
export function alpnNames(body: ByteCursor): string[] {
  const names: string[] = [];
  const list = body.part(body.u16());
  while (list.left > 0) {
    const name = list.take(list.u8());
    if (!list.failed) names.push(Buffer.from(name).toString('latin1'));
  }
  return names;
}

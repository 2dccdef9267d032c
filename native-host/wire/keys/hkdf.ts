import { createHmac } from 'node:crypto';

/** The hash of a cipher suite, as node:crypto names it. */
export type HashName = 'sha256' | 'sha384';

/** HKDF-Extract, RFC 5869 section 2.2. */
export function hkdfExtract(hash: HashName, salt: Uint8Array, inputKey: Uint8Array): Uint8Array {
  return createHmac(hash, salt).update(inputKey).digest();
}

/**
 * HKDF-Expand-Label of TLS 1.3 with an empty context, RFC 8446 section 7.1.
 *
 * @param label without its `tls13 ` prefix
 * @param lengthBytes of the result
 */
export function hkdfExpandLabel(
  hash: HashName,
  secret: Uint8Array,
  label: string,
  lengthBytes: number,
): Uint8Array {
  const fullLabel = Buffer.from(`tls13 ${label}`, 'latin1');
  const info = Buffer.concat([
    Buffer.from([lengthBytes >> 8, lengthBytes & 0xff, fullLabel.length]),
    fullLabel,
    Buffer.from([0]),
  ]);
  const blocks: Buffer[] = [];
  let last: Buffer = Buffer.alloc(0);
  for (let made = 0; made < lengthBytes; made += last.length) {
    last = createHmac(hash, secret)
      .update(last)
      .update(info)
      .update(Buffer.from([blocks.length + 1]))
      .digest();
    blocks.push(last);
  }
  return Buffer.concat(blocks).subarray(0, lengthBytes);
}

import { createHmac } from 'node:crypto';
import type { HashName } from './hkdf.ts';

/** The pseudorandom function of TLS 1.2, RFC 5246 section 5: P_hash over label and seed. */
export function tls12Prf(
  hash: HashName,
  secret: Uint8Array,
  label: string,
  seed: Uint8Array,
  lengthBytes: number,
): Uint8Array {
  const labelAndSeed = Buffer.concat([Buffer.from(label, 'latin1'), seed]);
  const blocks: Buffer[] = [];
  let a: Buffer = labelAndSeed;
  for (let made = 0; made < lengthBytes; made += a.length) {
    a = createHmac(hash, secret).update(a).digest();
    blocks.push(createHmac(hash, secret).update(a).update(labelAndSeed).digest());
  }
  return Buffer.concat(blocks).subarray(0, lengthBytes);
}

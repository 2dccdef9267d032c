/** Bytes as text, one character per octet: header fields have no other encoding (RFC 9110 section 5.5). */
export function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}

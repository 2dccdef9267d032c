/** Bytes from hexadecimal digits; blanks are for reading only. */
export function hex(digits: string): Uint8Array {
  return Uint8Array.from(Buffer.from(digits.replaceAll(/\s/g, ''), 'hex'));
}

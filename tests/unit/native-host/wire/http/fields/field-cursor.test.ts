import { describe, expect, it } from 'vitest';
import { FieldCursor } from '../../../../../../native-host/wire/http/fields/field-cursor.ts';
import { hex } from '../hex.ts';

describe('FieldCursor', () => {
  it.each([
    // RFC 7541 appendix C.1
    ['0a', 5, 10],
    ['1f9a0a', 5, 1337],
    ['2a', 8, 42],
  ])('reads %s with a prefix of %i bits as %i', (bytes, prefixBits, value) => {
    const cursor = new FieldCursor(hex(bytes));
    expect(cursor.integer(prefixBits)).toBe(value);
    expect(cursor.failure).toBeNull();
    expect(cursor.atEnd).toBe(true);
  });

  it('says how many bytes it waits for', () => {
    const cursor = new FieldCursor(hex('0a637573'));
    expect(cursor.string(7)).toBe('');
    expect(cursor.failure).toBe('short');
    expect(cursor.neededBytes).toBe(11);
  });

  it('refuses an integer without end', () => {
    const cursor = new FieldCursor(hex('1fffffffffffffffffff'));
    expect(cursor.integer(5)).toBe(0);
    expect(cursor.failure).toBe('malformed');
  });
});

import { describe, expect, it } from 'vitest';
import { alpnOfHttpsRecord } from '../../../../native-host/comparison/https-record.ts';

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'));

describe('alpnOfHttpsRecord', () => {
  it('reads RFC 9460 appendix D.2 figure 8: priority 16, foo.example.org., alpn="f\\\\oo\\,bar,h2"', () => {
    // 0010 | 03 foo 07 example 03 org 00 | 0001 000c 08 f\oo,bar 02 h2 | 0004 0004 c0000201
    const record = bytes(
      '0010 03666f6f 076578616d706c65 036f7267 00 0001 000c 08 665c6f6f2c626172 02 6832 0004 0004 c0000201',
    );
    expect(alpnOfHttpsRecord(record)).toEqual(['f\\oo,bar', 'h2']);
  });

  it('reads the form that CDNs publish: 1 . alpn="h3,h2"', () => {
    expect(alpnOfHttpsRecord(bytes('0001 00 0001 0006 02 6833 02 6832'))).toEqual(['h3', 'h2']);
  });

  it('gives nothing for alias mode (RFC 9460 D.1) and for damaged data, at every length', () => {
    expect(alpnOfHttpsRecord(bytes('0000 03666f6f 076578616d706c65 03636f6d 00'))).toEqual([]);
    const whole = bytes('0001 00 0001 0006 02 6833 02 6832');
    for (let length = 0; length < whole.length; length++) {
      expect(alpnOfHttpsRecord(whole.subarray(0, length))).toEqual([]);
    }
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { QpackDecoder } from '../../../../../../native-host/wire/http/fields/qpack-decoder.ts';
import { qpackStaticTable } from '../../../../../../native-host/wire/http/fields/qpack-static-table.ts';
import { hex } from '../hex.ts';

type Pair = [name: string, value: string];

function decode(decoder: QpackDecoder, section: string): { outcome: string; fields: Pair[] } {
  const fields: Pair[] = [];
  const outcome = decoder.decodeSection(hex(section), (name, value) => fields.push([name, value]));
  return { outcome, fields };
}

/** The dynamic table as the RFC prints it: absolute index, name, value. */
function tableOf({ table }: QpackDecoder): [number, string, string][] {
  const first = table.insertCount - table.length;
  return Array.from({ length: table.length }, (_, i) => {
    const entry = table.get(first + i);
    return [first + i, entry?.name ?? 'missing', entry?.value ?? 'missing'];
  });
}

function decoderWithTable(): QpackDecoder {
  const decoder = new QpackDecoder();
  decoder.maxTableCapacityBytes = 220;
  return decoder;
}

describe('QPACK, RFC 9204 appendix B', () => {
  it('B.1 to B.5, one after the other', () => {
    const decoder = decoderWithTable();

    // B.1
    expect(decode(decoder, '0000 510b 2f69 6e64 6578 2e68 746d 6c')).toEqual({
      outcome: 'decoded',
      fields: [[':path', '/index.html']],
    });
    expect(tableOf(decoder)).toEqual([]);

    // B.2, the section first: it is blocked until the instructions come
    expect(decode(decoder, '0381 10 11')).toEqual({ outcome: 'blocked', fields: [] });
    decoder.pushInstructions(
      hex('3fbd01 c00f 7777 772e 6578 616d 706c 652e 636f 6d c10c 2f73 616d 706c 652f 7061 7468'),
    );
    expect(tableOf(decoder)).toEqual([
      [0, ':authority', 'www.example.com'],
      [1, ':path', '/sample/path'],
    ]);
    expect(decoder.table.sizeBytes).toBe(106);
    expect(decode(decoder, '0381 10 11')).toEqual({
      outcome: 'decoded',
      fields: [
        [':authority', 'www.example.com'],
        [':path', '/sample/path'],
      ],
    });

    // B.3
    decoder.pushInstructions(hex('4a63 7573 746f 6d2d 6b65 790c 6375 7374 6f6d 2d76 616c 7565'));
    expect(tableOf(decoder).at(-1)).toEqual([2, 'custom-key', 'custom-value']);
    expect(decoder.table.sizeBytes).toBe(160);

    // B.4
    decoder.pushInstructions(hex('02'));
    expect(tableOf(decoder).at(-1)).toEqual([3, ':authority', 'www.example.com']);
    expect(decoder.table.sizeBytes).toBe(217);
    expect(decode(decoder, '0500 80 c1 81')).toEqual({
      outcome: 'decoded',
      fields: [
        [':authority', 'www.example.com'],
        [':path', '/'],
        ['custom-key', 'custom-value'],
      ],
    });

    // B.5
    decoder.pushInstructions(hex('810d 6375 7374 6f6d 2d76 616c 7565 32'));
    expect(tableOf(decoder)).toEqual([
      [1, ':path', '/sample/path'],
      [2, 'custom-key', 'custom-value'],
      [3, ':authority', 'www.example.com'],
      [4, 'custom-key', 'custom-value2'],
    ]);
    expect(decoder.table.sizeBytes).toBe(215);
  });

  it('reads the encoder stream the same when it comes byte by byte', () => {
    const decoder = decoderWithTable();
    const instructions = hex(
      `3fbd01 c00f 7777 772e 6578 616d 706c 652e 636f 6d c10c 2f73 616d 706c 652f 7061 7468
       4a63 7573 746f 6d2d 6b65 790c 6375 7374 6f6d 2d76 616c 7565 02 810d 6375 7374 6f6d 2d76 616c 7565 32`,
    );
    for (const byte of instructions) decoder.pushInstructions(Uint8Array.of(byte));
    expect(decoder.broken).toBe(false);
    expect(tableOf(decoder).at(-1)).toEqual([4, 'custom-key', 'custom-value2']);
    expect(decoder.table.sizeBytes).toBe(215);
  });
});

interface LsQpackStep {
  /** Encoder stream bytes sent before the section. */
  instructions: string;
  section: string;
  fields: string[];
}

describe('QPACK as ls-qpack writes it', () => {
  // 90 requests by pylsqpack 1.0.0 with a table of 512 bytes, each section acknowledged to the encoder: entries
  // are evicted, and the insert count wraps round.
  const steps = JSON.parse(readFileSync(join(import.meta.dirname, 'ls-qpack.json'), 'utf8')) as LsQpackStep[];

  it('is read back whole, sections that come before their instructions included', () => {
    const decoder = new QpackDecoder();
    decoder.maxTableCapacityBytes = 512;
    let blocked = 0;
    for (const { instructions, section, fields } of steps) {
      if (section !== '' && instructions !== '') {
        const { outcome } = decode(decoder, section);
        expect(outcome).toMatch(/^(blocked|decoded)$/);
        if (outcome === 'blocked') blocked += 1;
      }
      decoder.pushInstructions(hex(instructions));
      if (section === '') continue;
      const read = decode(decoder, section);
      expect(read.outcome).toBe('decoded');
      expect(read.fields.map(([name, value]) => `${name}: ${value}`)).toEqual(fields);
    }
    expect(blocked).toBeGreaterThan(10);
    expect(decoder.table.insertCount).toBeGreaterThan(2 * (512 / 32));
  });
});

describe('QpackDecoder', () => {
  it('has the 99 static entries', () => {
    expect(qpackStaticTable).toHaveLength(99);
    expect(qpackStaticTable[98]).toEqual({ name: 'x-frame-options', value: 'sameorigin' });
    expect(qpackStaticTable[63]).toEqual({ name: ':status', value: '100' });
  });

  it('waits for the settings before it can tell the insert count', () => {
    const decoder = new QpackDecoder();
    expect(decode(decoder, '0381 10').outcome).toBe('blocked');
    expect(decode(decoder, '0000 d1')).toEqual({ outcome: 'decoded', fields: [[':method', 'GET']] });
  });

  it('names by post-base reference', () => {
    const decoder = decoderWithTable();
    decoder.pushInstructions(hex('3fbd01 c00f 7777 772e 6578 616d 706c 652e 636f 6d'));
    // RFC 9204 section 4.5.5: 0000 N and the index in 3 bits, here entry 0 with another value.
    expect(decode(decoder, '0280 00 0161')).toEqual({ outcome: 'decoded', fields: [[':authority', 'a']] });
  });

  it.each([
    ['a static index past the table', '0000 ff 24'],
    ['an evicted or absent entry', '0000 80'],
    ['an insert count beyond its range', 'ff00 80'],
    ['a value cut off', '0000 510b 2f69'],
    ['nothing at all', ''],
  ])('refuses %s', (_, section) => {
    expect(decode(decoderWithTable(), section).outcome).toBe('failed');
  });

  it('fails what waits for a broken encoder stream', () => {
    const decoder = decoderWithTable();
    // A duplicate of an entry that is not there.
    decoder.pushInstructions(hex('3fbd01 02'));
    expect(decoder.broken).toBe(true);
    expect(decode(decoder, '0381 10 11').outcome).toBe('failed');
  });
});

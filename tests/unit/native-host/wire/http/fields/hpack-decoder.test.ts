import { describe, expect, it } from 'vitest';
import { HpackDecoder } from '../../../../../../native-host/wire/http/fields/hpack-decoder.ts';
import { hpackStaticTable } from '../../../../../../native-host/wire/http/fields/hpack-static-table.ts';
import { hex } from '../hex.ts';

type Pair = [name: string, value: string];

function decode(decoder: HpackDecoder, block: string): Pair[] {
  const fields: Pair[] = [];
  expect(decoder.decode(hex(block), (name, value) => fields.push([name, value]))).toBe(true);
  return fields;
}

/** The dynamic table, newest entry first, as the RFC prints it. */
function tableOf({ table }: HpackDecoder): Pair[] {
  return Array.from({ length: table.length }, (_, i) => {
    const entry = table.get(table.insertCount - 1 - i);
    return [entry?.name ?? 'missing', entry?.value ?? 'missing'];
  });
}

const date21: Pair = ['date', 'Mon, 21 Oct 2013 20:13:21 GMT'];
const date22: Pair = ['date', 'Mon, 21 Oct 2013 20:13:22 GMT'];
const location: Pair = ['location', 'https://www.example.com'];
const isPrivate: Pair = ['cache-control', 'private'];
const cookie: Pair = ['set-cookie', 'foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1'];
const authority: Pair = [':authority', 'www.example.com'];
const noCache: Pair = ['cache-control', 'no-cache'];
const custom: Pair = ['custom-key', 'custom-value'];

const requests: { fields: Pair[]; table: Pair[]; sizeBytes: number }[] = [
  {
    fields: [[':method', 'GET'], [':scheme', 'http'], [':path', '/'], authority],
    table: [authority],
    sizeBytes: 57,
  },
  {
    fields: [[':method', 'GET'], [':scheme', 'http'], [':path', '/'], authority, noCache],
    table: [noCache, authority],
    sizeBytes: 110,
  },
  {
    fields: [[':method', 'GET'], [':scheme', 'https'], [':path', '/index.html'], authority, custom],
    table: [custom, noCache, authority],
    sizeBytes: 164,
  },
];

const responses: typeof requests = [
  {
    fields: [[':status', '302'], isPrivate, date21, location],
    table: [location, date21, isPrivate, [':status', '302']],
    sizeBytes: 222,
  },
  {
    fields: [[':status', '307'], isPrivate, date21, location],
    table: [[':status', '307'], location, date21, isPrivate],
    sizeBytes: 222,
  },
  {
    fields: [[':status', '200'], isPrivate, date22, location, ['content-encoding', 'gzip'], cookie],
    table: [cookie, ['content-encoding', 'gzip'], date22],
    sizeBytes: 215,
  },
];

describe('HPACK, RFC 7541 appendix C', () => {
  it.each<[string, string, Pair, Pair[]]>([
    [
      'C.2.1',
      '400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572',
      ['custom-key', 'custom-header'],
      [['custom-key', 'custom-header']],
    ],
    ['C.2.2', '040c 2f73 616d 706c 652f 7061 7468', [':path', '/sample/path'], []],
    ['C.2.3', '1008 7061 7373 776f 7264 0673 6563 7265 74', ['password', 'secret'], []],
    ['C.2.4', '82', [':method', 'GET'], []],
  ])('%s', (_, block, field, table) => {
    const decoder = new HpackDecoder();
    expect(decode(decoder, block)).toEqual([field]);
    expect(tableOf(decoder)).toEqual(table);
  });

  it.each([
    {
      section: 'C.3, requests without Huffman coding',
      expected: requests,
      blocks: [
        '8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d',
        '8286 84be 5808 6e6f 2d63 6163 6865',
        '8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65',
      ],
    },
    {
      section: 'C.4, requests with Huffman coding',
      expected: requests,
      blocks: [
        '8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff',
        '8286 84be 5886 a8eb 1064 9cbf',
        '8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf',
      ],
    },
    {
      section: 'C.5, responses without Huffman coding, with eviction',
      expected: responses,
      blocks: [
        `4803 3330 3258 0770 7269 7661 7465 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133
         2032 303a 3133 3a32 3120 474d 546e 1768 7474 7073 3a2f 2f77 7777 2e65 7861 6d70 6c65 2e63 6f6d`,
        '4803 3330 37c1 c0bf',
        `88c1 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3220 474d
         54c0 5a04 677a 6970 7738 666f 6f3d 4153 444a 4b48 514b 425a 584f 5157 454f 5049
         5541 5851 5745 4f49 553b 206d 6178 2d61 6765 3d33 3630 303b 2076 6572 7369 6f6e 3d31`,
      ],
    },
    {
      section: 'C.6, responses with Huffman coding, with eviction',
      expected: responses,
      blocks: [
        `4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6
         2d1b ff6e 919d 29ad 1718 63c7 8f0b 97c8 e9ae 82ae 43d3`,
        '4883 640e ffc1 c0bf',
        `88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab
         77ad 94e7 821d d7f2 e6c7 b335 dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f
         9587 3160 65c0 03ed 4ee5 b106 3d50 07`,
      ],
    },
  ])('$section', ({ blocks, expected }) => {
    const decoder = new HpackDecoder({ capacityBytes: expected === responses ? 256 : 4096 });
    expected.forEach(({ fields, table, sizeBytes }, i) => {
      expect(decode(decoder, blocks[i] ?? '')).toEqual(fields);
      expect(tableOf(decoder)).toEqual(table);
      expect(decoder.table.sizeBytes).toBe(sizeBytes);
    });
  });
});

describe('HpackDecoder', () => {
  const ignore = () => undefined;

  it('has the 61 static entries', () => {
    expect(hpackStaticTable).toHaveLength(61);
    expect(decode(new HpackDecoder(), 'bd')).toEqual([['www-authenticate', '']]);
  });

  it('follows a size update, which empties the table when it is 0', () => {
    const decoder = new HpackDecoder();
    decode(decoder, '8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d');
    // RFC 7541 section 6.3: 001 and the size in 5 bits.
    expect(decode(decoder, '20 82')).toEqual([[':method', 'GET']]);
    expect(tableOf(decoder)).toEqual([]);
  });

  it.each([
    ['a reference to nothing', 'be'],
    ['index 0', '80'],
    ['a string that ends too late', '400a 6375'],
    ['an integer without end', 'ffff ffff ffff ffff ffff'],
  ])('refuses %s, and every block after it', (_, block) => {
    const decoder = new HpackDecoder();
    expect(decoder.decode(hex(block), ignore)).toBe(false);
    expect(decoder.decode(hex('82'), ignore)).toBe(false);
  });

  it('knows what was inserted since it joined, and nothing older', () => {
    const decoder = new HpackDecoder({ joinedLate: true });
    expect(decode(decoder, '400a 6375 7374 6f6d 2d6b 6579 0163')).toEqual([['custom-key', 'c']]);
    expect(decode(decoder, 'be bf')).toEqual([
      ['custom-key', 'c'],
      ['', ''],
    ]);
  });
});

import { crc32, inflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { buildPage } from '../../../lab/pages/build-page.ts';
import { pageNames } from '../../../lab/pages/page-models.ts';
import { encodePng } from '../../../lab/pages/png.ts';

// Elkhatib et al. 2014, table 1; a KB is 1000 bytes.
describe.each([
  ['twitter', 7, 46_400],
  ['youtube', 50, 10_630],
  ['imgur', 133, 11_780],
] as const)('%s', (page, resources, bytes) => {
  const files = buildPage(page);

  test('has its number of resources, each of its size', () => {
    expect(files).toHaveLength(resources);
    for (const { body } of files) expect(body).toHaveLength(bytes);
  });

  test('names every file in the document, once', () => {
    const html = files[0]?.body.toString() ?? '';
    for (const { name } of files.slice(1)) expect(html.split(`"${name}"`)).toHaveLength(2);
  });

  test('loads nothing late, and no icon', () => {
    const html = files[0]?.body.toString() ?? '';
    expect(html).not.toMatch(/loading=|async|defer/);
    expect(html).toContain('<link rel="icon" href="data:,">');
  });

  test('is the same every time', () => {
    const again = buildPage(page);
    for (const [index, { body }] of files.entries()) expect(again[index]?.body.equals(body)).toBe(true);
  });
});

// The longest document, imgur's, has to hold the most names: on eight servers most of them are full addresses.
test.each([
  ['twitter', 7, 46_400],
  ['youtube', 3, 10_630],
  ['imgur', 8, 11_780],
] as const)(
  '%s is dealt over %i servers in turn, the document first, at the same size',
  (page, count, bytes) => {
    const hosts = Array.from({ length: count }, (_, index) => `s${index + 1}.towline.test`);
    const files = buildPage(
      page,
      hosts.map((host, index) => (index === 0 ? '' : `//${host}/${page}/`)),
    );
    expect(files.map(({ body }) => body.length)).toEqual(files.map(() => bytes));

    const html = files[0]?.body.toString() ?? '';
    const asked = [...html.matchAll(/(?:src|href)="([^"]+\.(?:css|png|js))"/g)].map(
      ([, address = '']) => new URL(address, `https://${hosts[0] ?? ''}/${page}/`),
    );
    expect(new Set(asked.map(({ pathname }) => pathname))).toEqual(
      new Set(files.slice(1).map(({ name }) => `/${page}/${name}`)),
    );
    expect([hosts[0], ...asked.map(({ host }) => host)]).toEqual(
      files.map((_, index) => hosts[index % count]),
    );
  },
  30_000,
);

test('there are no other pages', () => {
  expect(pageNames).toEqual(['twitter', 'youtube', 'imgur']);
});

describe('a picture', () => {
  const samples = Uint8Array.from({ length: 4 * 3 * 3 }, (_, index) => index * 7);
  const file = encodePng({ width: 4, height: 3, samples }, 500);

  /** Chunks as W3C PNG, section 5.3, lays them out. */
  function chunks(): { type: string; data: Buffer; checksum: number; expected: number }[] {
    const found = [];
    for (let at = 8; at < file.length;) {
      const length = file.readUInt32BE(at);
      const data = file.subarray(at + 8, at + 8 + length);
      const expected = crc32(file.subarray(at + 4, at + 8 + length));
      found.push({
        type: file.toString('latin1', at + 4, at + 8),
        data,
        checksum: file.readUInt32BE(at + 8 + length),
        expected,
      });
      at += 12 + length;
    }
    return found;
  }

  test('is a PNG of the size asked for, with right checksums', () => {
    expect(file).toHaveLength(500);
    expect(file.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
    expect(chunks().map(({ type }) => type)).toEqual(['IHDR', 'tEXt', 'IDAT', 'IEND']);
    for (const { checksum, expected } of chunks()) expect(checksum).toBe(expected);
  });

  test('holds its samples', () => {
    const rows = inflateSync(chunks()[2]?.data ?? Buffer.alloc(0));
    const read: number[] = [];
    for (let row = 0; row < 3; row++) {
      expect(rows[row * 13]).toBe(2);
      for (let i = 0; i < 12; i++) {
        read.push(((rows[row * 13 + 1 + i] ?? 0) + (row === 0 ? 0 : (read[(row - 1) * 12 + i] ?? 0))) & 255);
      }
    }
    expect(read).toEqual([...samples]);
  });

  test('that does not fit is refused', () => {
    expect(() => encodePng({ width: 4, height: 3, samples }, 90)).toThrow(RangeError);
  });
});

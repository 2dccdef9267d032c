import { execFile } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { launch } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveLab, type ServedLab } from '../../../lab/serve.ts';
import { findBrowser } from '../../../native-host/browser/find-browser.ts';
import { chromiumArmFlags } from '../../../native-host/arms/chromium-arms.ts';
import { leftovers, machineState } from '../../support/leftovers.ts';

const run = promisify(execFile);

let before: string[];
let lab: ServedLab;
beforeAll(async () => {
  before = await machineState();
  lab = await serveLab({ port: 0 });
});
afterAll(async () => {
  await lab.close();
  expect(await leftovers(before)).toEqual([]);
});

async function curl(path: string, version: string): Promise<string> {
  const format = ['--output', '/dev/null', '--write-out', '%{http_version} %{http_code} %{size_download}'];
  const { stdout } = await run('curl', [
    '--silent',
    '--cacert',
    lab.caPath,
    version,
    ...format,
    `${lab.url}${path}`,
  ]);
  return stdout;
}

test.each([
  ['twitter/script-1.js', 46_400],
  ['youtube/', 10_630],
  ['imgur/picture-124.png', 11_780],
])('%s has %i bytes, by HTTP/1.1 and HTTP/2 alike', async (path, bytes) => {
  expect(await curl(path, '--http1.1')).toBe(`1.1 200 ${bytes}`);
  expect(await curl(path, '--http2')).toBe(`2 200 ${bytes}`);
});

/** What the page itself saw, in the browser. */
interface Seen {
  protocols: string[];
  bytes: number;
  /** Pictures that could be decoded. */
  pictures: number;
  scripts: number;
}

describe.each([
  ['h1', 'http/1.1'],
  ['h2', 'h2'],
  ['h3', 'h3'],
] as const)('Chromium in the arm %s', (arm, protocol) => {
  test('loads the whole page by it, and all of it is valid', async () => {
    const found = await findBrowser('chromium');
    const browser = await launch({
      executablePath: found?.executable ?? 'chromium',
      args: [
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        `--ignore-certificate-errors-spki-list=${lab.spki}`,
        ...chromiumArmFlags(arm, [`localhost:${lab.port}`]),
      ],
    });
    try {
      const page = await browser.newPage();
      await page.goto(`${lab.url}youtube/`);
      const seen = await page.evaluate((): Seen => {
        const entries = performance
          .getEntries()
          .filter((entry) => entry instanceof PerformanceResourceTiming);
        return {
          protocols: [...new Set(entries.map(({ nextHopProtocol }) => nextHopProtocol))],
          bytes: entries.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
          pictures: [...document.images].filter(
            ({ complete, naturalWidth }) => complete && naturalWidth === 160,
          ).length,
          scripts: Object.keys(document.documentElement.dataset).length,
        };
      });
      expect(seen).toEqual({ protocols: [protocol], bytes: 531_500, pictures: 42, scripts: 5 });
    } finally {
      await browser.close();
    }
  });
});

test('a port that is taken is refused with another', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  try {
    await expect(serveLab({ port })).rejects.toMatchObject({
      code: 'server-failed',
      message: expect.stringContaining(String(port)) as string,
      remedy: expect.stringContaining('--port') as string,
    });
  } finally {
    other.close();
  }
});

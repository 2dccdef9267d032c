import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';

const source = (name: string): string => join(import.meta.dirname, '../../../native-host/runs', `${name}.ts`);

/** Replaces a file by ever longer ones until the disk is full, and prints what is there then. */
const script = `
import { readFileSync, readdirSync } from 'node:fs';
import { writeFileAtomically } from ${JSON.stringify(source('write-file-atomically'))};
const [directory] = process.argv.slice(2);
const path = directory + '/record.json';
let written = '';
try {
  for (;;) {
    const longer = written + 'x'.repeat(8192);
    await writeFileAtomically(path, longer);
    written = longer;
  }
} catch ({ code, message, remedy }) {
  const kept = readFileSync(path, 'utf8') === written;
  console.log(JSON.stringify({ code, message, remedy, kept, bytes: written.length, names: readdirSync(directory) }));
}
`;

let scratch: string;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'towline-disk-'));
});
afterAll(async () => {
  await rm(scratch, { recursive: true, force: true });
});

test('on a full disk the previous file stays, whole, and nothing else', async () => {
  const outfile = join(scratch, 'fill.mjs');
  await build({
    stdin: { contents: script, resolveDir: import.meta.dirname, loader: 'js' },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'warning',
  });
  const disk = await mkdtemp(join(scratch, 'disk-'));
  // A disk of 64 KiB in a mount namespace of its own: it goes with the process.
  const mountAndRun = 'mount -t tmpfs -o size=64k none "$1" && shift && exec "$@"';
  const { stdout } = await promisify(execFile)('unshare', [
    ...['--user', '--map-root-user', '--mount', '--'],
    ...['sh', '-c', mountAndRun, 'sh', disk, process.execPath, outfile, disk],
  ]);
  const said = JSON.parse(stdout) as { bytes: number };
  expect(said).toEqual({
    code: 'disk-full',
    message: `No space is left to write ${disk}/record.json.`,
    remedy: expect.stringContaining('Free some space') as string,
    kept: true,
    bytes: said.bytes,
    names: ['record.json'],
  });
  expect(said.bytes).toBeGreaterThan(0);
});

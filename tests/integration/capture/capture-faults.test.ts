import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const repository = join(import.meta.dirname, '../../..');

/** A process that does not end by itself is the fault looked for. */
const endsWithinMs = 20_000;

describe('Captures in a network namespace of their own', () => {
  let directory: string;
  let child: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'towline-capture-'));
    await symlink(join(repository, 'node_modules'), join(directory, 'node_modules'));
    child = join(directory, 'capture-child.mjs');
    await build({
      entryPoints: [join(import.meta.dirname, 'capture-child.ts')],
      outfile: child,
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'warning',
    });
  });

  afterAll(async () => {
    await rm(directory, { recursive: true, force: true });
  });

  async function capture(args: readonly string[]): Promise<unknown> {
    const { stdout } = await run(
      'unshare',
      ['--user', '--map-root-user', '--net', process.execPath, child, ...args],
      { timeout: endsWithinMs },
    );
    return JSON.parse(stdout);
  }

  it('libpcap works without rights on the machine, and lets the process end after a silent capture', async () => {
    expect(await capture(['libpcap'])).toEqual({
      kind: 'libpcap',
      packets: 0,
      droppedByKernel: 0,
      droppedByInterface: 0,
    });
  });

  it('libpcap says that the interface went away', async () => {
    expect(await capture(['libpcap', 'delete'])).toMatchObject({
      code: 'capture-failed',
      message: expect.stringContaining('went away') as string,
    });
  });

  it('tcpdump, which must change its user there, says why it cannot and what to do', async () => {
    expect(await capture(['tcpdump'])).toMatchObject({
      code: 'capture-missing',
      remedy: expect.stringContaining('npm rebuild pcap') as string,
    });
  });
});

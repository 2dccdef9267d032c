import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readRecord } from '../../../shared/record/read-record.ts';
import { leftovers, machineState } from '../../support/leftovers.ts';
import { startTestServers, type TestServers } from '../../support/test-servers.ts';
import { startTowline, towline } from '../../support/towline.ts';

/** Long enough to be met in the middle, on a network that depends on nothing. */
const longLab = ['lab:twitter', '--arms', 'h1,h2', '--rounds', '50', '--gap', '0'];

let servers: TestServers;
let scratch: string;
let before: string[];
beforeAll(async () => {
  servers = await startTestServers();
  scratch = await mkdtemp(join(tmpdir(), 'faults-'));
});
afterAll(async () => {
  await servers.close();
  await rm(scratch, { recursive: true, force: true });
});
beforeEach(async () => {
  before = await machineState();
});

/** The record of a run that is or was, wherever it was cut off. */
async function keptTrials(file: string): Promise<number> {
  return readRecord(await readFile(file, 'utf8'), file).trials.length;
}

describe('wrong use', () => {
  it.each([
    [['compare', 'ftp://example.org/'], 2, /only http and https/],
    [['compare', 'example.org'], 2, /Did you mean https:\/\/example.org/],
    [['compare', 'lab:myspace'], 2, /lab:youtube/],
    [['compare', 'lab:youtube', '--arms', 'h4'], 2, /no arm "h4"/],
    [['compare', 'lab:youtube', '--rounds', '0'], 2, /from 1 to/],
    [['compare', 'lab:youtube', '--shape', 'rtt=fast'], 2, /rtt/],
    [['compare', 'lab:youtube', '--colour'], 2, /unknown option/],
    [['compare', 'lab:youtube', '--json', '/nowhere/at/all.json'], 3, /nothing can be written/],
  ])('%j', async (args, status, message) => {
    const ended = await towline(args);
    expect(ended.stderr).toMatch(message);
    expect(ended.status).toBe(status);
  });
});

describe('a page that cannot be compared', () => {
  const quick = ['--rounds', '1', '--gap', '0'];

  it('misspelt name', async () => {
    const ended = await towline(['compare', 'https://no-such-name.invalid/', '--arms', 'h1,h2', ...quick]);
    expect(ended.stderr + ended.stdout).toMatch(/name has no address/);
    expect(ended.status).toBe(1);
    expect(await leftovers(before)).toEqual([]);
  });

  it('nobody listens', async () => {
    const ended = await towline([
      'compare',
      `https://localhost:${servers.unusedPort}/`,
      '--arms',
      'h1,h2',
      ...quick,
    ]);
    expect(ended.stderr + ended.stdout).toMatch(/does not answer \(ERR_CONNECTION_REFUSED\)/);
    expect(ended.status).toBe(1);
  });

  it('invalid certificate', async () => {
    const ended = await towline(['compare', servers.http1Url, '--arms', 'h1', ...quick]);
    expect(ended.stderr + ended.stdout).toMatch(/certificate is not valid/);
    expect(ended.status).toBe(1);
  });

  it('never fires load', async () => {
    const ended = await towline([
      'compare',
      servers.neverLoadsUrl,
      '--arms',
      'h1',
      '--timeout',
      '1500ms',
      ...quick,
    ]);
    expect(ended.stderr + ended.stdout).toMatch(/did not fire its load event within 1.5 s/);
    expect(ended.status).toBe(1);
    expect(await leftovers(before)).toEqual([]);
  });

  it('speaks HTTP/1.1 only: that arm counts, the others are left out with the reason', async () => {
    const file = join(scratch, 'h1-only.json');
    const ended = await towline(
      ['compare', servers.http1Url, '--arms', 'h1,h2,h3', '--json', file, ...quick],
      {
        environment: servers.trustingEnvironment,
      },
    );
    const record = readRecord(await readFile(file, 'utf8'), file);
    const valid = Object.fromEntries(record.statistics.arms.map(({ arm, valid }) => [arm, valid]));
    expect(valid).toMatchObject({ h1: 1, h2: 0, h3: 0 });
    expect(record.path.notes.join(' ')).toMatch(/The h3 arm was left out: .*does not offer HTTP\/3/);
    expect(record.path.notes.join(' ')).toMatch(
      /The h2 arm was left out: the document came over http\/1.1, not h2/,
    );
    expect(ended.status).toBe(1);
  });

  it('no browser', async () => {
    // A PATH with what the command itself needs, and no browser on it.
    const programs = join(scratch, 'programs');
    await mkdir(programs);
    for (const name of ['dirname', 'readlink']) await symlink(`/usr/bin/${name}`, join(programs, name));
    await symlink(process.execPath, join(programs, 'node'));
    const ended = await towline(['compare', 'lab:twitter'], { environment: { PATH: programs } });
    expect(ended.stderr).toMatch(/No chromium was found.*\n.*apt-get install chromium/);
    expect(ended.status).toBe(3);
  });
});

describe('a run that is cut off', () => {
  it('Ctrl-C: the finished trials are kept and nothing is left', async () => {
    const file = join(scratch, 'cancelled.json');
    const run = startTowline(['compare', ...longLab, '--json', file]);
    await run.heard(/trial 2/i);
    run.process.kill('SIGINT');
    const ended = await run.ended;
    expect(ended.status).toBe(1);
    expect(await keptTrials(file)).toBeGreaterThanOrEqual(1);
    expect(readRecord(await readFile(file, 'utf8'), file).outcome).toBe('cancelled');
    expect(await leftovers(before)).toEqual([]);
  });

  it('the browser that asked for it closes: the finished trials are kept and nothing is left', async () => {
    const file = join(scratch, 'orphaned.json');
    const browser = spawn('sleep', ['600']);
    const asked = ['--owner-pid', String(browser.pid)];
    const run = startTowline([
      'compare',
      'lab:twitter',
      '--rounds',
      '50',
      '--gap',
      '0',
      ...asked,
      '--json',
      file,
    ]);
    try {
      await run.heard(/trial 2/i);
    } finally {
      browser.kill('SIGKILL');
    }
    const ended = await run.ended;
    expect(ended.status).toBe(1);
    expect(readRecord(await readFile(file, 'utf8'), file).outcome).toBe('cancelled');
    expect(await keptTrials(file)).toBeGreaterThanOrEqual(1);
    expect(await leftovers(before)).toEqual([]);
  });

  it('killed: the finished trials are kept and nothing is left', async () => {
    const file = join(scratch, 'killed.json');
    const run = startTowline(['compare', ...longLab, '--json', file], {
      environment: { XDG_STATE_HOME: scratch },
    });
    await run.heard(/trial 2/i);
    run.process.kill('SIGKILL');
    await run.ended;
    expect(await keptTrials(file)).toBeGreaterThanOrEqual(1);
    expect(readRecord(await readFile(file, 'utf8'), file).outcome).toBe('running');
    expect(await leftovers(before)).toEqual([]);
  });

  it('disk full: the comparison goes on, says so, and keeps what it measured elsewhere', async () => {
    const disk = join(scratch, 'disk');
    // The script is constant: a file system too small for a record, then the command.
    const script = 'mkdir -p "$1" && mount -t tmpfs -o size=8k towline "$1" && shift && exec "$@"';
    const ended = await towline(
      [
        'compare',
        'lab:twitter',
        '--arms',
        'h2',
        '--rounds',
        '1',
        '--gap',
        '0',
        '--json',
        join(disk, 'record.json'),
      ],
      {
        wrapper: ['unshare', '--mount', 'sh', '-c', script, 'sh', disk],
        environment: { XDG_STATE_HOME: scratch },
      },
    );
    expect(ended.stderr).toMatch(/full|No space/i);
    const [, kept] = /What was measured is kept in (.+)\.\n/.exec(ended.stderr) ?? [];
    expect(await keptTrials(join(kept ?? '', 'record.json'))).toBe(2);
    expect(ended.status).toBe(3);
  });
});

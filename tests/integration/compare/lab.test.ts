import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Har } from 'har-format';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leftovers, machineState } from '../../support/leftovers.ts';
import { compareAndRead } from '../../support/towline.ts';
import { tsharkTimes } from '../../support/tshark.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lab-compare-'));
});
afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
});

describe('comparing a lab page on a shaped path', () => {
  it('gives valid trials with Time on Wire in every arm, as tshark reads it, and leaves nothing behind', async () => {
    const before = await machineState();
    const { status, record, stdout } = await compareAndRead([
      ...['lab:youtube', '--arms', 'h1,h2,h3', '--rounds', '1', '--gap', '0', '--seed', '7'],
      ...['--shape', 'rtt=60ms,down=4mbit,up=4mbit,queue=256'],
      ...['--pcap', directory, '--keylog', directory, '--har', directory],
    ]);
    expect(status).toBe(0);
    expect(record.outcome).toBe('complete');
    // A machine busy with other things makes a trial not count, and its block be repeated.
    expect(record.trials.length).toBeGreaterThanOrEqual(6);
    const bytes: number[] = [];
    for (const trial of record.trials) {
      const failed = trial.verdict.checks.filter(({ passed, rule }) => passed === false && rule !== 'host');
      expect(failed).toEqual([]);
      expect(trial.treatment).toMatchObject({ requestShare: 1, byteShare: 1, wireByteShare: 1 });
      expect(trial.resources).toHaveLength(50);
      expect(trial.wire?.method).toBe('keyed');
      bytes.push(trial.wire?.bytesDown ?? 0);

      if (trial.arm === 'auto' || !trial.wire?.epochMs) throw new Error('an arm without packets');
      const name = join(directory, `${String(trial.index).padStart(3, '0')}-${trial.arm}`);
      const { log } = JSON.parse(await readFile(`${name}.har`, 'utf8')) as Har;
      expect(log.entries.map(({ request }) => request.url)).toEqual(trial.resources.map(({ url }) => url));
      const truth = await tsharkTimes(`${name}.pcap`, `${name}.keys`, trial.arm);
      const { epochMs, timeOnWireMs, firstRequestAtMs, lastResponseAtMs } = trial.wire;
      expect(Math.abs(epochMs + (firstRequestAtMs.value ?? 0) - truth.firstRequestAtMs)).toBeLessThan(2);
      expect(Math.abs(epochMs + (lastResponseAtMs.value ?? 0) - truth.lastResponseAtMs)).toBeLessThan(2);
      const timeOnWire = truth.lastResponseAtMs - truth.firstRequestAtMs;
      expect(Math.abs((timeOnWireMs.value ?? 0) - timeOnWire)).toBeLessThan(2);
    }
    // The page is 531,500 bytes in every arm; headers, TLS and acknowledgements come on top.
    for (const sum of bytes) {
      expect(sum).toBeGreaterThan(531_500);
      expect(sum).toBeLessThan(531_500 * 1.15);
    }
    expect(record.path.measuredBefore?.deviations).toEqual([]);
    expect(stdout.match(/HTTP\/\S+ +[01] of \d/g)).toHaveLength(3);
    expect(await leftovers(before)).toEqual([]);
  });
});

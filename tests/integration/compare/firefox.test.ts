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
  directory = await mkdtemp(join(tmpdir(), 'firefox-compare-'));
});
afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
});

describe('comparing a lab page in Firefox', () => {
  it('loads it cold over each protocol, as browser and packets say, with Time on Wire as tshark reads it', async () => {
    const before = await machineState();
    const { record } = await compareAndRead([
      ...['lab:twitter', '--browser', 'firefox', '--arms', 'h1,h2,h3', '--rounds', '1', '--gap', '0'],
      ...['--seed', '7', '--pcap', directory, '--keylog', directory, '--har', directory],
    ]);
    expect(record.outcome).toBe('complete');
    expect(record.environment.browser).toMatchObject({ name: 'firefox', headless: true });
    // A machine busy with other things makes a trial not count, and its block be repeated.
    expect(record.trials.length).toBeGreaterThanOrEqual(6);
    for (const trial of record.trials) {
      const failed = trial.verdict.checks.filter(({ passed, rule }) => passed === false && rule !== 'host');
      expect(failed).toEqual([]);
      expect(trial.treatment).toMatchObject({ requestShare: 1, byteShare: 1, wireByteShare: 1 });
      expect(trial.resources).toHaveLength(7);
      expect(trial.navigation?.nextHopProtocol).toBe(trial.arm === 'h1' ? 'http/1.1' : trial.arm);
      expect(trial.phases.connectMs).toBeGreaterThan(0);
      expect(trial.wire?.method).toBe('keyed');
      // Nothing but the page's own: no connection of the browser's own, open or refused.
      expect(new Set(trial.wire?.flows.map(({ sni }) => sni))).toEqual(new Set(['lab.towline.test']));

      if (trial.arm === 'auto' || !trial.wire?.epochMs) throw new Error('an arm without packets');
      const name = join(directory, `${String(trial.index).padStart(3, '0')}-${trial.arm}`);
      const { log } = JSON.parse(await readFile(`${name}.har`, 'utf8')) as Har;
      expect(log.entries.map(({ request }) => request.url)).toEqual(trial.resources.map(({ url }) => url));
      const truth = await tsharkTimes(`${name}.pcap`, `${name}.keys`, trial.arm);
      const timeOnWire = truth.lastResponseAtMs - truth.firstRequestAtMs;
      expect(Math.abs((trial.wire.timeOnWireMs.value ?? 0) - timeOnWire)).toBeLessThan(2);
    }
    expect(await leftovers(before)).toEqual([]);
  });
});

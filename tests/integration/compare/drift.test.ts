import { beforeAll, expect, it } from 'vitest';
import { findBrowser } from '../../../native-host/browser/find-browser.ts';
import { parseLabSetup } from '../../../native-host/commands/lab-options.ts';
import { planDesign } from '../../../native-host/comparison/design.ts';
import type { EngineRequest } from '../../../native-host/comparison/engine-protocol.ts';
import { parseShape } from '../../../native-host/network/parse-shape.ts';
import { metrics } from '../../../shared/record/statistics.ts';
import type { Trial } from '../../../shared/record/trial.ts';
import { metricOf } from '../../../shared/stats/counted-blocks.ts';
import { median } from '../../../shared/stats/quantile.ts';
import { buildPrograms, runInCapsule } from '../../support/capsule-program.ts';
import { calledOn, compareTwins, everyNaming, twoByTwo } from '../../support/same-arm.ts';

/**
 * Of 64 ways in which the coins of six blocks can fall, all are tried on the same loads: so the share of false calls is
 * counted, not drawn, and this test cannot fail by chance.
 */
const blocks = 6;

let program: string;
beforeAll(async () => {
  program = (await buildPrograms(['drift-program']))['drift-program'];
});

it('finds no difference between a protocol and itself while the round-trip time doubles', async () => {
  const loads = await loadsWhileTheNetworkDrifts();
  expect(loads).toHaveLength(2 * blocks);
  const timesOnWire = loads.map((trial) => metricOf(trial, 'timeOnWireMs') ?? NaN);
  const [before, after] = [timesOnWire.slice(0, blocks), timesOnWire.slice(blocks)];
  // This is what would pass for the protocol's doing, were one arm loaded after the other instead of in blocks.
  expect((median(after) ?? 0) / (median(before) ?? Infinity)).toBeGreaterThan(1.4);

  const verdicts = everyNaming(twoByTwo(loads)).map((twins) => calledOn(compareTwins(twins, 1, 500)));
  expect(verdicts).toHaveLength(2 ** blocks);
  for (const metric of metrics) {
    const called = verdicts.filter((figures) => figures.includes(metric)).length;
    expect(called / verdicts.length).toBeLessThanOrEqual(0.05);
  }
});

/** Loads of one arm over a network that gets twice its round-trip time after the first half of them. */
async function loadsWhileTheNetworkDrifts(): Promise<Trial[]> {
  const browser = await findBrowser('chromium');
  const design = planDesign({ arms: ['h2'], rounds: 2 * blocks, seed: 1, gapMs: 0 });
  const request: EngineRequest = {
    runId: 'drift',
    target: { kind: 'lab', page: 'twitter', setup: parseLabSetup({}, ['h2']) },
    network: { kind: 'lab', notes: [] },
    shape: parseShape('rtt=80ms'),
    design: { ...design, blockRetries: 0 },
    browser: { family: 'chromium', executable: browser?.executable ?? '', headless: true, own: null },
    realRoot: process.getuid?.() === 0,
    keep: { har: null, pcap: null, keyLog: null },
    scratch: 'drift',
    loadTimeoutMs: 60_000,
  };
  const told = (await runInCapsule('lab', program, request)) as { trials: Trial[]; failures: string[] };
  expect(told.failures).toEqual([]);
  return told.trials.filter(({ warmup }) => !warmup);
}

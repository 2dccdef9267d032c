import { expect, test } from 'vitest';
import { measureBeforeUse } from '../../../../native-host/comparison/measure-before-use.ts';
import type { NetworkPath } from '../../../../native-host/network/network-path.ts';
import type { PathMeasurement } from '../../../../shared/record/path.ts';

const found = (deviations: string[]): PathMeasurement => ({
  ...{ rttMs: 163.25, rttSamples: 20, downBitsPerSecond: null, upBitsPerSecond: null },
  ...{ lossDown: null, lossUp: null, probeBytes: 1, durationMs: 1, deviations },
});

/** A path whose probe finds these in turn, and the last one for ever. */
function pathThatMeasures(...measurements: (PathMeasurement | null)[]): Pick<NetworkPath, 'measure'> {
  let next = 0;
  return { measure: () => Promise.resolve(measurements[Math.min(next++, measurements.length - 1)] ?? null) };
}

const tooFar = 'RTT asked 150 ms, measured 163.25 ms: more than 3 ms off';

test('a path that never is as asked is refused, with both numbers and what to do', async () => {
  const refused = measureBeforeUse(pathThatMeasures(found([tooFar])) as NetworkPath);
  await expect(refused).rejects.toMatchObject({ code: 'path-not-as-asked', stage: 'network' });
  await expect(refused).rejects.toThrow(/150 ms.*163\.25 ms/);
  await expect(refused).rejects.toHaveProperty('remedy', expect.stringContaining('try again'));
});

test('a disturbed measurement is repeated, and said to have been', async () => {
  const { measured, notes } = await measureBeforeUse(
    pathThatMeasures(found([tooFar]), found([])) as NetworkPath,
  );
  expect(measured?.deviations).toEqual([]);
  expect(notes).toEqual([expect.stringContaining(tooFar)]);
});

test('what cannot be measured is not judged', async () => {
  expect(await measureBeforeUse(pathThatMeasures(null) as NetworkPath)).toEqual({
    measured: null,
    notes: [],
  });
});

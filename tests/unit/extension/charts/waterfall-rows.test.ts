import { expect, it } from 'vitest';
import { waterfallRows } from '../../../../extension/charts/waterfall-rows.ts';
import type { Trial } from '../../../../shared/record/trial.ts';
import { seededGenerator } from '../../../../shared/stats/seeded-generator.ts';
import { makeTrial } from '../../../fixtures/record/make-trial.ts';

const trial = makeTrial({ index: 0, block: 1, attempt: 0, arm: 'h2', warmup: false }, seededGenerator(1));

it('finds for every request of the browser its request on the wire, in order of start', () => {
  const rows = waterfallRows(trial);
  expect(rows.map(({ wire }) => wire?.request.path)).toEqual(
    rows.map(({ resource }) => new URL(resource.url).pathname),
  );
  const starts = rows.map(({ resource }) => resource.startedAtMs);
  expect(starts).toEqual(starts.toSorted((a, b) => a - b));
});

it("puts the wire's times on the browser's clock", () => {
  const { wire, navigation } = trial;
  if (!wire || !navigation) throw new Error('The synthetic trial has both.');
  const later: Trial = { ...trial, wire: { ...wire, epochMs: navigation.timeOriginEpochMs + 100 } };
  expect(waterfallRows(later)[0]?.wire?.requestMs).toBe((wire.requests[0]?.requestFirstAtMs ?? 0) + 100);
});

it('lays phases end to end from the start of the request', () => {
  for (const { phases, resource } of waterfallRows(trial)) {
    expect(phases[0]?.fromMs).toBe(resource.startedAtMs);
    for (const [index, phase] of phases.slice(1).entries()) expect(phase.fromMs).toBe(phases[index]?.toMs);
  }
});

it('shows requests without a wire, and two of one address apart', () => {
  expect(waterfallRows({ ...trial, wire: null }).every(({ wire }) => wire === null)).toBe(true);
  const [first] = trial.resources;
  if (!first) throw new Error('The synthetic trial has resources.');
  const twice = waterfallRows({ ...trial, resources: [first, { ...first, startedAtMs: 9 }] });
  expect(twice.map(({ wire }) => wire !== null)).toEqual([true, false]);
});

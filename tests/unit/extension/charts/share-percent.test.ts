import { expect, it } from 'vitest';
import { sharePercent } from '../../../../extension/charts/share-percent.ts';
import { phaseOrder } from '../../../../extension/charts/names.ts';

const phases = {
  blockedMs: 10,
  dnsMs: null,
  connectMs: 30,
  tlsMs: 20,
  sendMs: 0,
  waitMs: 100,
  receiveMs: 40,
};

it('gives each phase as percent of the known whole', () => {
  expect(phaseOrder.map((phase) => sharePercent(phases, phase))).toEqual([5, null, 15, 10, 0, 50, 20]);
});

it('knows no share where nothing took any time, or nothing is known', () => {
  const none = { ...phases, blockedMs: 0, connectMs: 0, tlsMs: 0, waitMs: 0, receiveMs: 0 };
  expect(sharePercent(none, 'waitMs')).toBeNull();
  expect(sharePercent({ ...none, waitMs: null, sendMs: null }, 'sendMs')).toBeNull();
});

import { BlockList } from 'node:net';
import { expect, test } from 'vitest';
import {
  addressPlan,
  blockCount,
  edgeLink,
  exitLink,
  farLink,
  serverAddresses,
  trialAddresses,
  trialSlots,
} from '../../../../native-host/network/address-plan.ts';

/** node:net's own reading of a prefix. */
function contains(prefix: string, address: string): boolean {
  const [net = '', bits = ''] = prefix.split('/');
  const family = address.includes(':') ? 'ipv6' : 'ipv4';
  const list = new BlockList();
  list.addSubnet(net, Number(bits), family);
  return list.check(address, family);
}

test.each([0, 1, 255, 256, blockCount - 1])('block %i lies in the blocks for benchmarking', (block) => {
  const plan = addressPlan(block);
  const links = [edgeLink(plan), farLink(plan), exitLink(plan)];
  for (const { outer4, inner4, outer6, inner6 } of [...links, trialAddresses(plan, 0)]) {
    for (const address of [outer4, inner4]) expect(contains('198.18.0.0/15', address)).toBe(true);
    for (const address of [outer6, inner6]) expect(contains('2001:2::/48', address)).toBe(true);
  }
});

test('every end of every link has addresses of its own', () => {
  const plan = addressPlan(300);
  const trials = Array.from({ length: trialSlots }, (_, index) => trialAddresses(plan, index));
  const servers = Array.from({ length: 8 }, (_, index) => serverAddresses(plan, index));
  const all = [
    ...[...trials, edgeLink(plan), farLink(plan), exitLink(plan)].flatMap(
      ({ outer4, outer6, inner4, inner6 }) => [outer4, outer6, inner4, inner6],
    ),
    ...servers.flatMap(({ v4, v6 }) => [v4, v6]),
  ];
  expect(new Set(all).size).toBe(all.length);
});

test('the routes lead to the trials, and to nothing else of the run', () => {
  const plan = addressPlan(7);
  for (let trial = 0; trial < trialSlots; trial++) {
    const { inner4, inner6 } = trialAddresses(plan, trial);
    expect(contains(plan.trials4, inner4)).toBe(true);
    expect(contains(plan.trials6, inner6)).toBe(true);
  }
  for (const { outer4, outer6 } of [edgeLink(plan), farLink(plan), exitLink(plan)]) {
    expect(contains(plan.trials4, outer4)).toBe(false);
    expect(contains(plan.trials6, outer6)).toBe(false);
  }
});

test('there are no other blocks', () => {
  for (const block of [-1, blockCount, 0.5]) expect(() => addressPlan(block)).toThrow();
});

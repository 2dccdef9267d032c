import { expect, it } from 'vitest';
import { LossLog } from '../../../../native-host/watching/loss-log.ts';

it('knows between which two checks packets were lost', () => {
  const losses = new LossLog(1000);
  losses.check(0, 2000);
  losses.check(3, 3000);
  losses.check(3, 4000);
  expect(losses.overlaps(1000, 1999)).toBe(false);
  expect(losses.overlaps(2500, 2600)).toBe(true);
  expect(losses.overlaps(1500, 2000)).toBe(true);
  expect(losses.overlaps(3001, 9000)).toBe(false);
});

it('takes a capture that does not tell, or that began anew, for one that lost some', () => {
  const losses = new LossLog(1000);
  losses.check(null, 2000);
  expect(losses.overlaps(1500, 1500)).toBe(true);
  losses.check(5, 3000);
  losses.restart(4000);
  expect(losses.overlaps(3500, 3500)).toBe(true);
  // Its count begins at nothing again.
  losses.check(1, 5000);
  expect(losses.overlaps(4500, 4500)).toBe(true);
});

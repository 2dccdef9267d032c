import { describe, expect, test } from 'vitest';
import { parseShape } from '../../../../native-host/network/parse-shape.ts';
import { ProbeSchedule } from '../../../../native-host/network/probe-schedule.ts';

const rates = ['64kbit', '1mbit', '8mbit', '20mbit'];
const rtts = ['10ms', '150ms', '490ms'];
const losses = ['0%', '1%', '3%'];
const grid = rates.flatMap((rate) =>
  rtts.flatMap((rtt) => losses.map((loss) => `rtt=${rtt},down=${rate},up=${rate},loss=${loss}`)),
);

describe('the time a measurement takes', () => {
  test.each(grid)('%s is measured within ten seconds', (shape) => {
    const { timesMs, limitMs } = new ProbeSchedule(parseShape(shape));
    expect(timesMs.neededMs).toBeLessThan(9500);
    expect(limitMs).toBe(10_000);
  });

  // The slowest and longest carries so few packets that two takings would hardly say more than one.
  test.each(grid.filter((shape) => !/490ms,down=64k.*loss=[13]/.test(shape)))(
    '%s leaves time to measure losses again',
    (shape) => {
      const schedule = new ProbeSchedule(parseShape(shape));
      expect(schedule.timesMs.neededMs + schedule.lossesAgainMs(['udp', 'tcp'])).toBeLessThan(10_000);
    },
  );

  test('holds all that is waited for: at a round trip of 2 s more than ten seconds', () => {
    const { timesMs, limitMs } = new ProbeSchedule(parseShape('rtt=2s,down=1mbit,up=1mbit'));
    // Pings and the handshakes after them, two rates each half a round trip long, and segments that are answered twice,
    // and before them the last handshakes.
    expect(timesMs.neededMs).toBeGreaterThan(2000 * (2 + 1 + 1 + 1.5));
    expect(limitMs).toBeGreaterThan(timesMs.neededMs);
    const { neededMs, roundTripsMs, ratesMs, lossesMs } = timesMs;
    expect(neededMs).toBeCloseTo(roundTripsMs + ratesMs + lossesMs, 6);
  });

  test('is that of the round trips where nothing is asked of the path', () => {
    const { timesMs } = new ProbeSchedule(null);
    expect(timesMs).toMatchObject({ ratesMs: 0, lossesMs: 0 });
    expect(timesMs.neededMs).toBe(timesMs.roundTripsMs);
  });
});

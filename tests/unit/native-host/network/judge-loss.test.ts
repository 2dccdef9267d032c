import { describe, expect, test } from 'vitest';
import { lossOf } from '../../../../native-host/network/judge-arrivals.ts';
import { isDoubtful, judgeLosses, sideOf, standing } from '../../../../native-host/network/judge-loss.ts';
import { parseShape } from '../../../../native-host/network/parse-shape.ts';
import type { LossTaking } from '../../../../native-host/network/path-readings.ts';
import { ProbeSchedule } from '../../../../native-host/network/probe-schedule.ts';
import type { LossMeasurement, Shape } from '../../../../shared/record/path.ts';

const nothingLost = { loss: lossOf(1000, 1000), reorder: null };

/** What was lost towards the browser, by each transport. */
function taking(udp: LossMeasurement, tcp: LossMeasurement): LossTaking {
  return {
    udp: { down: { loss: udp, reorder: null }, up: nothingLost },
    tcp: { down: { loss: tcp, reorder: null }, up: nothingLost },
  };
}
const lost = (udp: number, tcp: number, of = 600) => taking(lossOf(of, of - udp), lossOf(of, of - tcp));

const asked = parseShape('rtt=150ms,down=1mbit,up=1mbit,loss-down=1%');

describe('a loss outside its interval', () => {
  // Of 600 packets with a loss of 1 %, Wilson's 95 % interval holds 3 to 11 lost ones.
  test('is doubtful, and refused where a second taking says the same', () => {
    expect(isDoubtful(asked, lost(6, 6))).toBe(false);
    expect(isDoubtful(asked, lost(13, 6))).toBe(true);
    expect(judgeLosses(asked, [lost(13, 4), lost(13, 4)])).toEqual([
      'Loss down asked 1.00 %, measured 2.17 % (13 of 600 lost, 95 % interval 1.27 % to 3.67 %), then 2.17 % (13 of 600 lost, 95 % interval 1.27 % to 3.67 %)',
    ]);
    expect(judgeLosses(asked, [lost(13, 6), lost(6, 6)])).toEqual([]);
    // Once too many and once too few is chance.
    expect(judgeLosses(asked, [lost(13, 6), lost(0, 6)])).toEqual([]);
  });

  test('is refused at once only where a right path hardly has it', () => {
    expect(judgeLosses(asked, [lost(13, 6)])).toEqual([]);
    expect(judgeLosses(asked, [lost(18, 6)]).join()).toContain('18 of 600');
  });

  test('is found by both transports together where neither says it alone', () => {
    const [sentence = '', ...more] = judgeLosses(asked, [lost(10, 10), lost(10, 10)]);
    expect(sentence).toContain('by UDP and TCP together 1.67 % (20 of 1200 lost');
    expect(more).toEqual([]);
  });

  test('is any lost packet where none was asked for', () => {
    const none = parseShape('rtt=150ms,down=1mbit,up=1mbit');
    expect(judgeLosses(none, [lost(1, 0)]).join()).toContain('asked 0.00 %');
    expect(judgeLosses(none, [lost(1, 0), lost(0, 0)])).toEqual([]);
    expect(judgeLosses(none, [lost(1, 0), lost(1, 0)]).length).toBeGreaterThan(0);
  });

  test('gives way in the record to the second taking, reading by reading', () => {
    const stands = standing(asked, [lost(13, 6), lost(7, 5)]);
    expect([stands.udp?.down.loss.lost, stands.tcp?.down.loss.lost]).toEqual([7, 6]);
    expect(standing(asked, [lost(13, 6)]).udp?.down.loss.lost).toBe(13);
    expect(standing(asked, [])).toEqual({});
    // Too many and too few: both, as one.
    expect(standing(asked, [lost(13, 6), lost(1, 5)]).udp?.down.loss).toMatchObject({ lost: 14, sent: 1200 });
  });

  test('of one transport, where the other was not sent, is judged by itself', () => {
    const { udp = { down: nothingLost, up: nothingLost } } = lost(13, 0);
    expect(judgeLosses(asked, [{ udp }, { udp }])).toHaveLength(1);
    expect(standing(asked, [{ udp }, { udp }]).tcp).toBeUndefined();
  });
});

test('bursts of loss are held against their mean length', () => {
  const bursty = parseShape('rtt=150ms,down=1mbit,up=1mbit,loss-down=gemodel:1%/25%');
  const found = (bursts: number) => taking({ ...lossOf(3000, 2885, 6.7), bursts }, lossOf(3000, 2885, 6.7));
  expect(judgeLosses(bursty, [found(29)])).toEqual([]);
  // As many lost, but each by itself.
  expect(judgeLosses(bursty, [found(115)])).toEqual([
    expect.stringMatching(/asked 4\.00 packets long, measured 1\.00/),
  ]);
});

/**
 * Chance that a measurement refuses a path whose loss each way is really this, exact: over all numbers of lost packets. Those that
 * say the same are judged once, and one direction stands for both.
 * @param shape asks for loss towards the browser alone
 * @param takings as many as there is time for
 */
function chanceOfRefusal(shape: Shape, realRatio: number, takings: 1 | 2): number {
  const schedule = new ProbeSchedule(shape);
  const { packets: udpPackets } = schedule.lossTrains('udp').down;
  // Besides the data there are the answers to the other direction's.
  const tcpPackets = schedule.lossTrains('tcp').down.packets * 1.9;
  const counts = [chances(udpPackets, realRatio), chances(Math.round(tcpPackets), realRatio)] as const;
  const groups = new Map<string, { chance: number; example: LossTaking }>();
  counts[0].forEach((udpChance, udp) => {
    counts[1].forEach((tcpChance, tcp) => {
      const example = taking(
        lossOf(udpPackets, udpPackets - udp),
        lossOf(Math.round(tcpPackets), Math.round(tcpPackets) - tcp),
      );
      const sides = (['udp', 'tcp', 'together'] as const).map((each) => sideOf(shape, 'down', each, example));
      const refused = judgeLosses(shape, [example]).length > 0;
      const key = [...sides, refused].join();
      const group = groups.get(key) ?? { chance: 0, example };
      groups.set(key, { example, chance: group.chance + udpChance * tcpChance });
    });
  });
  let refused = 0;
  for (const first of groups.values()) {
    if (!isDoubtful(shape, first.example)) continue;
    if (takings === 1) {
      if (judgeLosses(shape, [first.example]).length > 0) refused += first.chance;
      continue;
    }
    for (const second of groups.values()) {
      if (judgeLosses(shape, [first.example, second.example]).length > 0)
        refused += first.chance * second.chance;
    }
  }
  return 1 - (1 - refused) ** 2;
}

/** Of 0, 1, 2, ... lost packets, as far as it can be told from nothing. */
function chances(packets: number, ratio: number): number[] {
  if (ratio === 0) return [1];
  const found = [];
  let log = packets * Math.log1p(-ratio);
  for (let lost = 0; lost <= packets; lost++) {
    found.push(Math.exp(log));
    if (lost > packets * ratio && log < Math.log(1e-12)) break;
    log += Math.log(((packets - lost) / (lost + 1)) * (ratio / (1 - ratio)));
  }
  return found;
}

// The figures of docs/networks.md, %: packets of 1.0 s each way, 1.5 s at 64 kbit/s, 0.8 s where no loss was asked for.
describe.each([
  // A path that is right.
  { rate: '64kbit', loss: '1%', really: 0.01, twice: [0, 1.4], once: [0, 0.2] },
  { rate: '64kbit', loss: '3%', really: 0.03, twice: [0, 1], once: [0, 0.2] },
  { rate: '1mbit', loss: '1%', really: 0.01, twice: [0, 1], once: [0, 0.6] },
  { rate: '1mbit', loss: '3%', really: 0.03, twice: [0, 1], once: [0, 0.6] },
  { rate: '20mbit', loss: '1%', really: 0.01, twice: [0, 1], once: [0, 0.6] },
  { rate: '20mbit', loss: '3%', really: 0.03, twice: [0, 1], once: [0, 0.6] },
  // One that is not. Few packets say little.
  { rate: '64kbit', loss: '1%', really: 0.03, twice: [40, 50], once: [5, 15] },
  { rate: '64kbit', loss: '0%', really: 0.005, twice: [10, 15], once: [40, 45] },
  { rate: '1mbit', loss: '1%', really: 0.02, twice: [93, 100], once: [60, 70] },
  { rate: '1mbit', loss: '3%', really: 0.015, twice: [95, 100], once: [60, 70] },
  { rate: '1mbit', loss: '1%', really: 0, twice: [99.9, 100], once: [99.9, 100] },
  { rate: '1mbit', loss: '0%', really: 0.005, twice: [99.9, 100], once: [99.9, 100] },
  { rate: '20mbit', loss: '1%', really: 0.02, twice: [99.9, 100], once: [97, 100] },
  { rate: '20mbit', loss: '3%', really: 0.015, twice: [99.9, 100], once: [99, 100] },
] as const)('$rate with $loss asked and really $really', ({ rate, loss, really, twice, once }) => {
  const shape = parseShape(`rtt=150ms,down=${rate},up=${rate},loss-down=${loss}`);

  test.each([
    [2, twice],
    [1, once],
  ] as const)('is refused as often as said, by %i taking(s)', (takings, [least, most]) => {
    const percent = 100 * chanceOfRefusal(shape, really, takings);
    expect(percent).toBeGreaterThanOrEqual(least);
    expect(percent).toBeLessThanOrEqual(most);
  });
});

import { describe, expect, test } from 'vitest';
import * as v from 'valibot';
import { formatShape } from '../../../../native-host/network/format-shape.ts';
import { networkProfiles } from '../../../../native-host/network/network-profiles.ts';
import { parseShape } from '../../../../native-host/network/parse-shape.ts';
import { TowlineError } from '../../../../shared/errors/towline-error.ts';
import { ShapeSchema } from '../../../../shared/record/path.ts';

describe('a network in words', () => {
  test('all parts', () => {
    expect(parseShape('rtt=150ms,down=2mbit,up=384kbit,loss-down=1%,loss-up=0.5%,queue=64')).toEqual({
      rttMs: 150,
      downBitsPerSecond: 2_000_000,
      upBitsPerSecond: 384_000,
      lossDownRatio: 0.01,
      lossUpRatio: 0.005,
      queuePackets: 64,
    });
  });

  test('what is not said is not limited', () => {
    expect(parseShape('rtt=1.5s')).toEqual({
      rttMs: 1500,
      downBitsPerSecond: null,
      upBitsPerSecond: null,
      lossDownRatio: 0,
      lossUpRatio: 0,
      queuePackets: 256,
    });
  });

  test('loss alone is both ways', () => {
    expect(parseShape('loss=2%')).toMatchObject({ lossDownRatio: 0.02, lossUpRatio: 0.02 });
  });

  test('a profile, and what is said after it', () => {
    expect(parseShape('3g')).toMatchObject({ rttMs: 150, downBitsPerSecond: 2e6, upBitsPerSecond: 1e6 });
    expect(parseShape('3g, queue=64')).toMatchObject({ rttMs: 150, queuePackets: 64 });
  });

  test('loss in bursts, with its mean as the loss', () => {
    const { lossDownRatio, lossUpRatio, burstLossDown, burstLossUp } = parseShape(
      'loss=gemodel:1%/24%,loss-up=gemodel:10%/30%/50%/2%',
    );
    expect(burstLossDown).toEqual({
      toBadRatio: 0.01,
      toGoodRatio: 0.24,
      lossInBadRatio: 1,
      lossInGoodRatio: 0,
    });
    expect(lossDownRatio).toBeCloseTo(0.04, 12);
    expect(burstLossUp).toMatchObject({ lossInBadRatio: 0.5, lossInGoodRatio: 0.02 });
    expect(lossUpRatio).toBeCloseTo(0.14, 12);
  });

  test('later parts overrule earlier ones, whatever kind they are', () => {
    expect(parseShape('loss=gemodel:1%/25%,loss=1%')).not.toHaveProperty('burstLossDown');
    expect(parseShape('wifi-lossy,3g')).toEqual(parseShape('3g'));
    expect(parseShape('wifi-lossy,jitter=0ms')).not.toHaveProperty('jitterMs');
  });

  test('jitter and reordering', () => {
    expect(parseShape('rtt=100ms,jitter=20ms,reorder=1%/5ms')).toMatchObject({
      ...{ jitterMs: 20, reorderRatio: 0.01, reorderDelayMs: 5 },
    });
    expect(parseShape('reorder=1%')).toMatchObject({ reorderDelayMs: 10 });
  });

  test('every profile is a valid shape', () => {
    for (const { name, shape } of networkProfiles) {
      expect(parseShape(name)).toEqual(shape);
      expect(v.is(ShapeSchema, shape)).toBe(true);
    }
  });

  test.each([
    ['rtt=10parsec', 'rtt=10parsec', 'ms or s'],
    ['rtt=150', 'rtt=150', 'ms or s'],
    ['dwn=1mbit', 'dwn=1mbit', 'down'],
    ['down=1', 'down=1', 'kbit'],
    ['down=1kbit', 'down=1kbit', '16kbit to 1gbit'],
    ['loss=60%', 'loss=60%', '0% to 50%'],
    ['loss=-1%', 'loss=-1%', '0% to 50%'],
    ['queue=1.5', 'queue=1.5', '1 to 100000'],
    ['rtt=100ms,jitter=51ms', '51 ms', 'half'],
    ['loss=gemodel:1%', 'gemodel:1%', 'p/r'],
    ['loss=gemodel:1%/0%', 'gemodel:1%/0%', 'more than 0'],
    ['loss=gemodel:1%/101%', 'gemodel:1%/101%', '0% to 100%'],
    ['loss=gemodel:90%/10%', '90.0 %', '0% to 50%'],
    ['reorder=1%/5ms/2', 'reorder=1%/5ms/2', '1%/10ms'],
    ['rtt=150ms,,', '""', 'rtt'],
    ['constructor=1', 'constructor=1', 'rtt'],
    ['', '""', 'rtt'],
  ])('%j is refused by its part, with what would be right', (text, part, right) => {
    let thrown: unknown;
    try {
      parseShape(text);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(TowlineError);
    const { code, message, remedy } = thrown as TowlineError;
    expect(code).toBe('bad-shape');
    expect(message).toContain(part);
    expect(`${message} ${remedy ?? ''}`).toContain(right);
  });
});

test('a network for a person', () => {
  expect(formatShape(parseShape('rtt=150ms,down=2mbit,up=384kbit,loss-up=0.5%,queue=64'))).toBe(
    'RTT 150 ms, 2 Mbit/s down, 384 kbit/s up, 0 % loss down, 0.5 % up, queue of 64 packets',
  );
  expect(formatShape(parseShape('rtt=20ms'))).toBe('RTT 20 ms, unlimited down, unlimited up, no loss');
});

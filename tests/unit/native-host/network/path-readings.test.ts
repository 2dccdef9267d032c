import { expect, test } from 'vitest';
import { measurementOf, missingReadings } from '../../../../native-host/network/path-readings.ts';
import { parseShape } from '../../../../native-host/network/parse-shape.ts';

const shape = parseShape('rtt=20ms,down=1mbit,up=1mbit');
const both = { rates: ['udp', 'tcp'], losses: ['udp', 'tcp'] } as const;

test('what was stopped before it was read is null, and named', () => {
  const readings = {
    roundTrips: { udp: [20, 22, 21], tcp: [20] },
    rates: { udp: { down: 1e6, up: null } },
    lossTakings: [],
  };
  expect(measurementOf(shape, readings)).toMatchObject({
    ...{ rttMs: 21, rttSamples: 3, downBitsPerSecond: 1e6, upBitsPerSecond: null, lossDown: null },
    tcp: { rttMs: 20, rttSamples: 1, downBitsPerSecond: null, lossUp: null },
  });
  expect(missingReadings(readings, both)).toEqual(['the rate by TCP', 'the loss by UDP', 'the loss by TCP']);
});

test('nothing is missing that was not wanted', () => {
  const readings = { roundTrips: { udp: [], tcp: [] }, rates: {}, lossTakings: [] };
  expect(missingReadings(readings, { rates: [], losses: [] })).toEqual([]);
  expect(missingReadings({ ...readings, roundTrips: null }, { rates: [], losses: [] })).toEqual([
    'the round-trip time',
  ]);
});

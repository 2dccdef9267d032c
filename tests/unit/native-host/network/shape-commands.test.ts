import { expect, test } from 'vitest';
import { parseShape } from '../../../../native-host/network/parse-shape.ts';
import { shapeCommands } from '../../../../native-host/network/shape-commands.ts';

/** The word after another in a command. */
function after(command: readonly string[] | undefined, word: string): string | undefined {
  return command?.[command.indexOf(word) + 1];
}

test('each direction has half of the round trip, its own rate and loss, and the queue', () => {
  const shape = parseShape('rtt=150ms,down=2mbit,up=1mbit,loss-down=1%,queue=64');
  const down = shapeCommands(shape, 'down');
  const up = shapeCommands(shape, 'up');
  expect([after(down[0], 'delay'), after(up[0], 'delay')]).toEqual(['75000us', '75000us']);
  expect(after(down[0], 'random')).toBe('1%');
  expect(up.flat()).not.toContain('loss');
  expect([after(down[2], 'rate'), after(up[2], 'rate')]).toEqual(['2000000bit', '1000000bit']);
  expect([down[3]?.slice(-3), up[3]?.slice(-3)]).toEqual([
    ['pfifo', 'limit', '64'],
    ['pfifo', 'limit', '64'],
  ]);
});

test('the delay line holds far more than the path can have in flight', () => {
  const shape = parseShape('rtt=490ms,down=1gbit');
  const inFlight = (1e9 * 0.245) / 8 / 1500;
  expect(Number(after(shapeCommands(shape, 'down')[0], 'limit'))).toBeGreaterThan(2 * inFlight);
});

test('no rate, no bottleneck', () => {
  expect(shapeCommands(parseShape('rtt=20ms'), 'up')).toHaveLength(1);
});

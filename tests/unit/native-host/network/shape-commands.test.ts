import { expect, test } from 'vitest';
import { parseShape } from '../../../../native-host/network/parse-shape.ts';
import { lateTable, shapeCommands } from '../../../../native-host/network/shape-commands.ts';

/** The word after another in a command. */
function after(command: readonly string[] | undefined, word: string): string | undefined {
  return command?.[command.indexOf(word) + 1];
}

test('each direction has half of the round trip, its own rate and loss, and the queue', () => {
  const shape = parseShape('rtt=150ms,down=2mbit,up=1mbit,loss-down=1%,queue=64');
  const down = shapeCommands(shape, 'down', '/scratch');
  const up = shapeCommands(shape, 'up', '/scratch');
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
  expect(Number(after(shapeCommands(shape, 'down', '/scratch')[0], 'limit'))).toBeGreaterThan(2 * inFlight);
});

test('no rate, no bottleneck', () => {
  expect(shapeCommands(parseShape('rtt=20ms'), 'up', '/scratch')).toHaveLength(1);
});

test('jitter keeps the order by a rate that takes no time', () => {
  const [line] = shapeCommands(parseShape('rtt=100ms,jitter=5ms'), 'down', '/scratch');
  expect(line?.slice(line.indexOf('delay'))).toEqual(['delay', '50000us', '5000us', 'rate', '100gbit']);
});

test('bursts of loss are told as tc(8) has them, each direction its own', () => {
  const shape = parseShape('loss-down=gemodel:1%/25%,loss-up=gemodel:2%/50%/80%/0.1%');
  const words = (direction: 'down' | 'up') => {
    const [line] = shapeCommands(shape, direction, '/scratch');
    return line?.slice(line.indexOf('loss'));
  };
  expect(words('down')).toEqual(['loss', 'gemodel', '1%', '25%', '100%', '0%']);
  expect(words('up')).toEqual(['loss', 'gemodel', '2%', '50%', '80%', '0.1%']);
});

test('late packets wait in a line of their own, before the bottleneck', () => {
  const commands = shapeCommands(parseShape('rtt=20ms,down=1mbit,reorder=1%/8ms'), 'down', '/scratch');
  expect(commands.slice(1).map((command) => after(command, 'parent'))).toEqual(['1:1', '4:1', '2:', '2:1']);
  expect(commands[1]?.slice(0, 2)).toEqual(['env', 'TC_LIB_DIR=/scratch']);
  // tc-netem(8): a table's value of 8192 is the deviation told, here a fourth of the 8 ms.
  expect(after(commands[1], '1us')).toBe('2000us');
});

test('the table makes the asked share late, and the rest not at all', () => {
  const values = lateTable(0.01).trim().split('\n').map(Number);
  expect(values.filter((value) => value === 32_767)).toHaveLength(values.length / 100);
  expect(values.filter((value) => value === 0)).toHaveLength((values.length * 99) / 100);
});

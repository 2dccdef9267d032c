import { expect, test } from 'vitest';
import { parseRunLength } from '../../../../native-host/commands/compare-options.ts';
import { parseShape } from '../../../../native-host/network/parse-shape.ts';
import { compareArguments } from '../../../../native-host/runs/compare-arguments.ts';

test('a request becomes an argument array', () => {
  const request = {
    url: 'https://example.org/?a=$(b)',
    arms: ['h1' as const, 'h3' as const],
    rounds: 5,
    precisionPercent: null,
    gapMs: 2000,
    browser: 'firefox' as const,
  };
  expect(compareArguments({ ...request, shape: null }, 'run-1', 4242)).toEqual([
    'compare',
    'https://example.org/?a=$(b)',
    '--arms',
    'h1,h3',
    '--rounds',
    '5',
    '--gap',
    '2000ms',
    '--browser',
    'firefox',
    '--run-id',
    'run-1',
    '--owner-pid',
    '4242',
  ]);
});

test('with a precision, the rounds are the most there can be', () => {
  const args = compareArguments(
    {
      ...{ url: 'https://example.org/', arms: ['h1', 'h2'], rounds: 50, precisionPercent: 2.5, gapMs: 0 },
      ...{ shape: null, browser: 'chromium' },
    },
    'run-1',
    1,
  );
  expect(args).not.toContain('--rounds');
  const [precision, maxRounds] = ['--precision', '--max-rounds'].map((name) => args[args.indexOf(name) + 1]);
  expect(parseRunLength({ rounds: undefined, precision, maxRounds }, 2)).toEqual({
    rounds: 50,
    precisionPercent: 2.5,
  });
});

test('a shape is written in plain decimals', () => {
  const shape = {
    rttMs: 150,
    downBitsPerSecond: 1_500_500,
    upBitsPerSecond: null,
    lossDownRatio: 0.07,
    lossUpRatio: 0.005,
    queuePackets: 100,
  };
  const args = compareArguments(
    {
      ...{ url: 'https://example.org/', arms: ['h1'], rounds: 1, precisionPercent: null, gapMs: 0, shape },
      browser: 'chromium',
    },
    'run-1',
    1,
  );
  expect(args[args.indexOf('--shape') + 1]).toBe(
    'rtt=150ms,down=1500.5kbit,loss-down=7%,loss-up=0.5%,queue=100',
  );
  expect(parseShape(args[args.indexOf('--shape') + 1] ?? '')).toEqual(shape);
});

test("in the person's own browser, a run is on the network as it is", () => {
  const args = compareArguments(
    {
      ...{ url: 'https://example.org/', arms: ['h1', 'h2'], rounds: 5, precisionPercent: null, gapMs: 0 },
      ...{ shape: null, browser: { own: true, version: '153.0', headless: false } },
    },
    'run-1',
    1,
  );
  expect(args).not.toContain('--browser');
  expect(args.slice(args.indexOf('--own-browser'))).toEqual([
    ...['--own-browser', '153.0', '--headed', '--network', 'none', '--run-id', 'run-1', '--owner-pid', '1'],
  ]);
});

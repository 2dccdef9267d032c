import { describe, expect, it } from 'vitest';
import {
  bareMs,
  formatBytes,
  formatDuration,
  formatMs,
  formatShare,
  signedPercent,
} from '../../../../extension/charts/format.ts';

describe('times', () => {
  it('show no more digits than they are worth', () => {
    expect([bareMs(0.44), bareMs(99.94), bareMs(2629.4)]).toEqual(['0.4', '99.9', '2,629']);
  });

  it('never show a missing value as a number', () => {
    expect([formatMs(null), bareMs(null), formatShare(null), formatBytes(null)]).toEqual([
      '–',
      '–',
      '–',
      '–',
    ]);
  });

  it('say how long something takes in whole words', () => {
    expect([200, 59_600, 150_000].map(formatDuration)).toEqual(['1 s', '60 s', '3 min']);
  });
});

it('never rounds a share that is not all up to all', () => {
  expect([1, 0.99999, 0.99, 0].map(formatShare)).toEqual(['100 %', '99.9 %', '99 %', '0 %']);
});

it('signs differences, but not zero', () => {
  expect([3.21, -2, 0, -0.01, 0.01, 21.4].map(signedPercent)).toEqual(['+3.2', '−2', '0', '0', '0', '+21']);
});

it('counts bytes in decimal units', () => {
  expect([999, 46_400, 1_440_000].map(formatBytes)).toEqual(['999 B', '46.4 kB', '1.4 MB']);
});

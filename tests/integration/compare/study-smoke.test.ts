import { expect, it } from 'vitest';
import { gainPercent, studyConditions, studyTolerance } from '../../support/study-smoke.ts';
import { compareAndRead } from '../../support/towline.ts';

it.each(studyConditions)(
  'reproduces the direction and size of the published gain at RTT $rttMs ms',
  async ({ rttMs, low, high }) => {
    const { status, record } = await compareAndRead([
      ...['lab:youtube', '--arms', 'h1,h2', '--rounds', '3', '--gap', '0', '--seed', '1'],
      ...['--shape', `rtt=${rttMs}ms,down=1mbit,up=1mbit,queue=256`],
    ]);
    expect(status).toBe(0);
    const gain = gainPercent(record);
    expect(gain).toBeGreaterThanOrEqual(low - studyTolerance);
    expect(gain).toBeLessThanOrEqual(high + studyTolerance);
  },
  300_000,
);

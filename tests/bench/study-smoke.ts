/**
 * A small piece of Elkhatib et al. 2014, figure 2: the gain of the multiplexed protocol over HTTP/1.1 on the
 * youtube page at 1 Mbit/s, for a short and a long path. The paper has 21.26 % at 490 ms and about nothing at
 * short ones. Three rounds each: a smoke test of the method, no study.
 */
import { compareAndRead } from '../support/towline.ts';
import { gainPercent, studyConditions } from '../support/study-smoke.ts';

console.log(
  'Gain of h2 over h1 on Time on Wire (median h1 / median h2 - 1), lab:youtube, 1 Mbit/s, 3 rounds',
);
for (const { rttMs, low, high } of studyConditions) {
  const { record } = await compareAndRead([
    ...['lab:youtube', '--arms', 'h1,h2', '--rounds', '3', '--gap', '0', '--seed', '1'],
    ...['--shape', `rtt=${rttMs}ms,down=1mbit,up=1mbit,queue=256`],
  ]);
  const gain = gainPercent(record);
  const inside = gain !== null && gain >= low && gain <= high;
  console.log(
    `RTT ${rttMs} ms: ${gain === null ? 'no valid trials' : `${gain.toFixed(1)} %`} (expected ${low} to ${high} %): ${inside ? 'as expected' : 'NOT as expected'}`,
  );
  if (!inside) process.exitCode = 1;
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { TrainPlan } from './probe-plan.ts';

/** Does something for every packet of a train, by number, when it is due. What a late timer missed follows at once. */
export async function pace(
  { packets, head, packetsPerSecond }: Pick<TrainPlan, 'packets' | 'head' | 'packetsPerSecond'>,
  act: (number: number) => void,
): Promise<void> {
  const start = performance.now();
  for (let done = 0; done < packets;) {
    const elapsedSeconds = (performance.now() - start) / 1000;
    const due = Math.min(packets, head + Math.floor(elapsedSeconds * packetsPerSecond));
    for (; done < due; done++) act(done);
    if (done < packets) await sleep(1);
  }
}

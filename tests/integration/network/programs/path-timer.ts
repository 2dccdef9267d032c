/**
 * Makes and takes down, again and again, the way to the world in the capsule it is started in, and on it a trial's
 * network; prints what each took, ms, as JSON. Arguments: the kind of network, how often.
 */
import type { UplinkKind } from '../../../../native-host/network/choose-network.ts';
import { enterCapsule } from '../../../../native-host/network/enter-capsule.ts';
import { openUplinkPath } from '../../../../native-host/network/open-uplink-path.ts';

export interface PathTimes {
  wayMadeMs: number[];
  wayTakenDownMs: number[];
  trialMadeMs: number[];
  trialTakenDownMs: number[];
}

const [kind = 'root', times = '1'] = process.argv.slice(2);
const capsule = await enterCapsule();
const taken: PathTimes = { wayMadeMs: [], wayTakenDownMs: [], trialMadeMs: [], trialTakenDownMs: [] };

async function timed<T>(into: number[], act: () => Promise<T>): Promise<T> {
  const startMs = performance.now();
  const done = await act();
  into.push(performance.now() - startMs);
  return done;
}

for (let time = 0; time < Number(times); time++) {
  const path = await timed(taken.wayMadeMs, () =>
    openUplinkPath({
      ...{ runId: 'bench', kind: kind as UplinkKind, targetHost: 'world.towline.test', shape: null, capsule },
    }),
  );
  const trial = await timed(taken.trialMadeMs, () => path.openTrial());
  await timed(taken.trialTakenDownMs, () => trial.close());
  await timed(taken.wayTakenDownMs, () => path.close());
}
process.stdout.write(JSON.stringify(taken), () => process.exit());

/**
 * Runs the engine over a lab page whose network doubles its round-trip time half-way through, and prints the trials
 * as JSON. Argument: an engine's request for the lab, but for what only this program knows.
 */
import { join } from 'node:path';
import { Engine } from '../../../../native-host/comparison/engine.ts';
import type { EngineEvent, EngineRequest } from '../../../../native-host/comparison/engine-protocol.ts';
import type { Setting } from '../../../../native-host/comparison/open-setting.ts';
import { enterCapsule } from '../../../../native-host/network/enter-capsule.ts';
import { openLab, type Lab } from '../../../../lab/open-lab.ts';
import type { Trial } from '../../../../shared/record/trial.ts';

const request = JSON.parse(process.argv[2] ?? '') as EngineRequest;
const { target, shape, design } = request;
if (target.kind !== 'lab' || shape === null) throw new Error('a network that drifts is a shaped lab');
const { page, setup } = target;
const { rttMs } = shape;

const trials: Trial[] = [];
const failures: string[] = [];
const capsule = await enterCapsule();
const engine = new Engine({
  workerFile: join(import.meta.dirname, '../../native-host/trial-worker.js'),
  capsule,
  tell: (event: EngineEvent) => {
    if (event.type === 'block') trials.push(...event.trials);
    if (event.type === 'ended' && event.error) failures.push(event.error.message);
  },
  open: async () => settingOf(await openLab({ page, setup, shape, capsule })),
});
await engine.run(request);
process.stdout.write(JSON.stringify({ trials, failures }), () => process.exit());

/**
 * The lab as a setting; its network changes once the first half of the blocks has been loaded. A trial's namespace is
 * opened while the trial before it falls quiet and is not judged yet, so that one is still missing from the list.
 */
function settingOf(lab: Lab): Setting {
  const half = design.warmupBlocks + design.rounds / 2;
  let changed = false;
  const openTrial: Setting['path']['openTrial'] = async () => {
    if (!changed && trials.length >= half - 1) {
      changed = true;
      await lab.changeRtt(2 * rttMs);
    }
    return await lab.path.openTrial();
  };
  return {
    // Whether a network is as asked is another test's matter, and this one does not stay so.
    path: { ...lab.path, openTrial, measure: () => Promise.resolve(null) },
    target: { asked: lab.url, url: lab.url, lab: null },
    shards: [],
    knownHttp3: null,
    trusted: { keyHash: lab.spki, certificateFile: lab.caPath },
    close: () => lab.close(),
  };
}

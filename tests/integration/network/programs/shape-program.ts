/**
 * Makes a network in the capsule it is started in, measures it until it is as asked, then has the router do something
 * else and measures again. Prints both measurements as JSON.
 * Argument: `{shape, then, claimed}`; the second measurement is held against `claimed`.
 */
import { enterCapsule } from '../../../../native-host/network/enter-capsule.ts';
import { measureTrialNetwork } from '../../../../native-host/network/measure-trial-network.ts';
import { addNamespace, letForward, nameMainNamespace } from '../../../../native-host/network/namespaces.ts';
import { shapeCommands } from '../../../../native-host/network/shape-commands.ts';
import { openTrialNetwork } from '../../../../native-host/network/trial-network.ts';
import type { Shape } from '../../../../shared/record/path.ts';

const { shape, then, claimed } = JSON.parse(process.argv[2] ?? '') as Record<
  'shape' | 'then' | 'claimed',
  Shape
>;
const { scratch } = await enterCapsule();
const edge = await nameMainNamespace();
await letForward(edge);
const far = await addNamespace('far', 'host');
const network = await openTrialNetwork({ block: 0, edge, far, shape, mtuBytes: 1500, ipv6: true, scratch });

/** Where there is no time for a second reading, intervals of 95 % miss a path that is right now and then, but not six times in a row. */
const mostAttempts = 6;
let asAsked = await measureTrialNetwork(network, far, shape, { queue: true });
for (let attempt = 2; attempt <= mostAttempts && asAsked.deviations.length > 0; attempt++) {
  asAsked = await measureTrialNetwork(network, far, shape, { queue: true });
}
for (const direction of ['down', 'up'] as const) {
  for (const command of shapeCommands(then, direction, scratch)) await network.router?.run(command);
}
const otherwise = await measureTrialNetwork(network, far, claimed);
await network.close();
process.stdout.write(JSON.stringify({ asAsked, otherwise }), () => process.exit());

/**
 * Opens the way to the world in the capsule it is started in, asks servers of the world who it is by HTTP, and
 * prints the answers. Argument: `{kind, shape, urls, die?, beside?}`; with `die` it kills itself instead of closing;
 * `beside` is the argument array of another program that runs to its end before the world is asked.
 */
import { measureBeforeUse } from '../../../../native-host/comparison/measure-before-use.ts';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { UplinkKind } from '../../../../native-host/network/choose-network.ts';
import { enterCapsule } from '../../../../native-host/network/enter-capsule.ts';
import { openUplinkPath } from '../../../../native-host/network/open-uplink-path.ts';
import type { Shape } from '../../../../shared/record/path.ts';
import { linkAliases } from '../../../support/link-aliases.ts';

interface Argument {
  kind: UplinkKind;
  shape: Shape | null;
  urls: string[];
  die?: boolean;
  beside?: string[];
}

const run = promisify(execFile);
const { kind, shape, urls, die, beside } = JSON.parse(process.argv[2] ?? '') as Argument;
const capsule = await enterCapsule('towline-test-run');
const path = await openUplinkPath({
  ...{ runId: 'test', kind, targetHost: 'world.towline.test', shape, capsule },
});
const { measured } = await measureBeforeUse(path);
const trials = await Promise.all([path.openTrial(), path.openTrial()]);
if (beside !== undefined) {
  const [program = '', ...args] = beside;
  // One that kills itself ends with a failure, which is meant.
  await run(program, args).catch(() => undefined);
}
const answers: string[] = [];
for (const [index, url] of urls.entries()) {
  const [enter = '', ...inside] = trials[index % 2]?.enter ?? [];
  const { stdout } = await run(enter, [...inside, 'curl', '--silent', '--max-time', '10', '--globoff', url]);
  answers.push(stdout);
}
const told = {
  answers,
  measured,
  router: path.router,
  links: await linkAliases([
    [],
    ['nsenter', '--net=/run/netns/edge', '--'],
    ...trials.map(({ enter }) => enter),
  ]),
  clientAddresses: trials.map(({ clientAddresses }) => clientAddresses),
  resolver: await readFile('/etc/resolv.conf', 'utf8'),
};
process.stdout.write(JSON.stringify(told), () => {
  if (die === true) process.kill(process.pid, 'SIGKILL');
  void Promise.all(trials.map((trial) => trial.close()))
    .then(() => path.close())
    .then(() => process.exit());
});

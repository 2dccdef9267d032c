/**
 * Times the paths of a fake host: for each kind, a capsule, and {@link PathTimes} inside one. Prints JSON.
 * Arguments: the built program path-timer.ts, how often.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { capsuleCommand } from '../../../../native-host/network/capsule.ts';
import { makeFakeHost, putTunDevice } from '../../../support/fake-host.ts';
import type { PathTimes } from './path-timer.ts';

export type PathCost = Record<'root' | 'rootless', PathTimes & { capsuleMs: number[] }>;

const [timer = '', times = '1'] = JSON.parse(process.argv[2] ?? '[]') as string[];
await makeFakeHost();
await putTunDevice('0666');
const ordinary = ['setpriv', '--reuid', '12345', '--regid', '12345', '--clear-groups', '--'];

async function inCapsule(kind: 'root' | 'rootless', command: string[]): Promise<string> {
  const [program = '', ...args] = [
    ...(kind === 'rootless' ? ordinary : []),
    ...capsuleCommand(kind, kind === 'root', command),
  ];
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  const output = await text(child.stdout);
  await ended;
  return output;
}

async function costOf(kind: 'root' | 'rootless'): Promise<PathCost['root']> {
  const capsuleMs: number[] = [];
  for (let time = 0; time < Number(times); time++) {
    const startMs = performance.now();
    await inCapsule(kind, ['true']);
    capsuleMs.push(performance.now() - startMs);
  }
  const inside = JSON.parse(await inCapsule(kind, [process.execPath, timer, kind, times])) as PathTimes;
  return { capsuleMs, ...inside };
}

const cost: PathCost = { root: await costOf('root'), rootless: await costOf('rootless') };
process.stdout.write(JSON.stringify(cost), () => process.exit());

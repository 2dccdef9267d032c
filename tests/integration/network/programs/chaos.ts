/**
 * Runs comparisons on a host of its own, kills a part of each at a random moment, and tells what was left when the
 * run had ended, and what after the next start. Argument: `{checkout, nameServer, seed, plan}`; prints a JSON array.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runTool } from '../../../../native-host/network/run-tool.ts';
import { seededGenerator } from '../../../../shared/stats/seeded-generator.ts';
import { makeFakeHost, putTunDevice } from '../../../support/fake-host.ts';
import { startFakeSite } from '../../../support/fake-site.ts';
import { differences, hostState } from '../../../support/host-state.ts';
import { makeOrdinaryUser } from '../../../support/ordinary-user.ts';
import { trustInHome } from '../../../support/test-servers.ts';
import { findVictims, type Victim } from '../../../support/victims.ts';

export interface ChaosStep {
  /** Killed one after the other, at once. */
  victims: Victim[];
  network: 'root' | 'rootless' | 'none' | 'lab';
}

export interface ChaosOutcome extends ChaosStep {
  /** Ms from the start of the run to the kill; null where the run had ended before its victim was there. */
  killedAtMs: number | null;
  /** Exit status of the command; null where it was killed. */
  status: number | null;
  /** Differences to the host before, when the run had ended and the kernel had had its time. */
  leftAtEnd: string[];
  /** The same after the next start. */
  leftAfterStart: string[];
}

const { checkout, nameServer, seed, plan } = JSON.parse(process.argv[2] ?? '') as {
  checkout: string;
  nameServer: string;
  seed: number;
  plan: ChaosStep[];
};

/** Moments of a run that a kill may meet, ms: its start, and what follows once the victim is there. */
const startSpanMs = 3_000;
const victimSpanMs = 1_500;
/** A run that has not ended so long after the kill hangs. */
const hangMs = 180_000;
/** What the kernel may take for taking namespaces down on a busy machine. */
const settleMs = 15_000;

const { capsule, world } = await makeFakeHost();
await putTunDevice('0666');
const { url, caPath } = await startFakeSite(world, capsule.scratch, nameServer);
const user = await makeOrdinaryUser(capsule.scratch, checkout, caPath);
const rootHome = '/mnt/root';
await mkdir(rootHome);
await trustInHome(rootHome, caPath);
await runTool(['mount', '-t', 'tmpfs', '-o', 'mode=1777', 'tmpfs', '/tmp']);

// There before the first run: its record, where runs tell of themselves, and where they write down what they change.
await mkdir('/var/lib/towline/network', { recursive: true });
for (const home of [rootHome, user.home]) await writeFile(join(home, 'record.json'), '');
for (const home of [rootHome, user.home]) {
  for (const kept of ['runs', 'labs'])
    await mkdir(join(home, '.local/state/towline', kept), { recursive: true });
}
await user.give(user.home);
/** What a run has measured is kept, however it ended: see README. */
const isKeptRun = /\.local\/state\/towline\/runs\/[^/]+(\/(status|record|owner)\.json)?$/;

const watched = ['/tmp', '/dev/shm', '/run/netns', '/var/lib', rootHome, user.home];
const random = seededGenerator(seed);
const outcomes: ChaosOutcome[] = [];
for (const step of plan) outcomes.push(await carryOut(step));
process.stdout.write(JSON.stringify(outcomes), () => process.exit());

async function carryOut(step: ChaosStep): Promise<ChaosOutcome> {
  const before = await hostState(watched);
  const run = start(step, compareArguments(step));
  const killedAtMs = await kill(run, step);
  const status = await endOf(run);
  const leftAtEnd = await settled(before);
  await endOf(start(step, ['doctor', '--clean']));
  return { ...step, killedAtMs, status, leftAtEnd, leftAfterStart: await settled(before) };
}

function compareArguments({ network }: ChaosStep): string[] {
  const quick = ['--arms', 'h1', '--rounds', '1', '--gap', '0', '--json', 'record.json'];
  if (network !== 'lab') return ['compare', url, '--network', network, ...quick];
  return ['compare', 'lab:twitter', '--shape', 'rtt=20ms,down=20mbit,up=20mbit', ...quick];
}

function start({ network }: ChaosStep, args: string[]): ChildProcess {
  const asRoot = network === 'root' || network === 'lab';
  const home = asRoot ? rootHome : user.home;
  const [program = '', ...rest] = [...(asRoot ? [] : user.become), 'towline', ...args];
  return spawn(program, rest, { cwd: home, env: { ...user.environment, HOME: home }, stdio: 'ignore' });
}

/** @returns ms from the start; null where the run had ended before */
async function kill(run: ChildProcess, { victims }: ChaosStep): Promise<number | null> {
  const startMs = performance.now();
  const others = victims.filter((victim) => victim !== 'command');
  await sleep(random() * startSpanMs);
  let pids = await presentVictims(run, others);
  if (others.length > 0) {
    await sleep(random() * victimSpanMs);
    pids = await presentVictims(run, others);
  }
  if (hasEnded(run)) return null;
  if (victims.includes('command')) pids.push(run.pid ?? 0);
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has just ended by itself.
    }
  }
  return Math.round(performance.now() - startMs);
}

/** Waits until all of these parts run, or the run has ended. */
async function presentVictims(
  run: ChildProcess,
  victims: readonly Exclude<Victim, 'command'>[],
): Promise<number[]> {
  for (;;) {
    const found = await Promise.all(victims.map((victim) => findVictims(victim)));
    if (hasEnded(run) || found.every((pids) => pids.length > 0)) return found.flat();
    await sleep(20);
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** @throws when it hangs: the test then ends, and with it the whole host */
async function endOf(run: ChildProcess): Promise<number | null> {
  if (!hasEnded(run)) await once(run, 'exit', { signal: AbortSignal.timeout(hangMs) });
  return run.exitCode;
}

/** What differs from before, once nothing does or the time is over. */
async function settled(before: readonly string[]): Promise<string[]> {
  const deadline = performance.now() + settleMs;
  for (;;) {
    const left = differences(before, await hostState(watched)).filter((line) => !isKeptRun.test(line));
    if (left.length === 0 || performance.now() > deadline) return left;
    await sleep(100);
  }
}

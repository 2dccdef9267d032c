import { randomInt, randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { access, constants } from 'node:fs/promises';
import { labServers } from '../../lab/servers/lab-servers.ts';
import { pageNames } from '../../lab/pages/page-models.ts';
import { errorCodes } from '../../shared/errors/error-codes.ts';
import { reportOf, TowlineError, type ErrorReport } from '../../shared/errors/towline-error.ts';
import type { Arm } from '../../shared/record/arm.ts';
import type { ComparisonRecord, Design } from '../../shared/record/record.ts';
import { browserFamily, requireBrowser, type FoundBrowser } from '../browser/find-browser.ts';
import { planDesign } from '../comparison/design.ts';
import { EngineProcess } from '../comparison/engine-process.ts';
import type { EngineRequest } from '../comparison/engine-protocol.ts';
import { readEnvironment } from '../comparison/environment.ts';
import { followRun, type FollowedRun } from '../comparison/follow-run.ts';
import { RecordBuilder } from '../comparison/record-builder.ts';
import { RunProgress } from '../comparison/run-progress.ts';
import { capsuleCommand } from '../network/capsule.ts';
import { chooseNetwork } from '../network/choose-network.ts';
import { parseShape } from '../network/parse-shape.ts';
import { failRun } from '../runs/fail-run.ts';
import { registerLab } from '../runs/lab-registry.ts';
import { RunDirectory } from '../runs/run-directory.ts';
import { scratchName } from '../runs/prune-scratch.ts';
import { startGuardian } from '../runs/start-guardian.ts';
import { takeBack } from '../runs/take-back.ts';
import { watchOwner } from '../runs/watch-owner.ts';
import { temporaryFileOf, writeFileAtomically } from '../runs/write-file-atomically.ts';
import { comparisonTable } from '../terminal/comparison-table.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { cleanUp } from './clean-up.ts';
import {
  parseArms,
  parseDurationMs,
  parseRunLength,
  parseTarget,
  parseWhole,
  type CompareOptions,
} from './compare-options.ts';
import { keepDirectories } from './keep-directories.ts';
import { parseLabSetup, refuseLabOptions, type LabOptions } from './lab-options.ts';
import {
  browserClosed,
  parseOwnBrowser,
  runningBrowser,
  type OwnBrowserAsked,
} from './own-browser-option.ts';
import { towlineVersion } from './towline-version.ts';

/** Compares one page over several protocols. @returns the exit status */
export async function compare(options: CompareOptions & LabOptions, terminal: Terminal): Promise<number> {
  let plan: RunPlan;
  try {
    plan = await planRun(options);
  } catch (error) {
    // The browser waits for this run, and would otherwise learn only that it was lost.
    if (options.runId !== undefined) {
      await failRun(await RunDirectory.open(options.runId), reportOf(error, 'arguments'));
    }
    throw error;
  }
  for (const note of plan.network.notes) terminal.remark(note);
  const runId = options.runId ?? randomUUID();
  const directory = await RunDirectory.create(runId);
  await cleanUpBefore(terminal);
  const run = await carryOut(plan, runId, directory, options.ownerPid, terminal);
  const status = report(run, plan.jsonFile, terminal);
  // Usually the engine has done that; not when it was killed.
  await takeBack(directory);
  // What the extension asked for stays until it has fetched it, and what could not be written where it was
  // wanted stays until somebody has taken it from here.
  if (run.writeError) terminal.remark(`What was measured is kept in ${directory.path}.`);
  else if (options.runId === undefined) await directory.remove();
  return status;
}

/** Everything that is decided before the first packet. */
interface RunPlan {
  asked: string;
  jsonFile: string | null;
  browser: FoundBrowser;
  network: EngineRequest['network'];
  /** Null where a browser is started for every trial. */
  own: OwnBrowserAsked | null;
  request: Omit<EngineRequest, 'runId' | 'network' | 'scratch' | 'browser'> & {
    browser: Omit<EngineRequest['browser'], 'own'>;
  };
}

/** @throws TowlineError for wrong use, and for what the machine lacks */
async function planRun(options: CompareOptions & LabOptions): Promise<RunPlan> {
  const design = designOf(options);
  const target = targetOf(options, design.arms);
  const shape = options.shape === undefined ? null : parseShape(options.shape);
  const loadTimeoutMs = parseDurationMs('--timeout', options.timeout, 600_000);
  const keep = keepDirectories({ har: options.har, pcap: options.pcap, keyLog: options.keylog });
  const jsonFile = options.json === undefined ? null : await writableFile(options.json);
  const own = parseOwnBrowser(options);
  const browser = own === null ? await requireBrowser(options.browser) : await runningBrowser(own);
  const realRoot = process.getuid?.() === 0;
  const asBrowser = {
    family: browserFamily(browser.name),
    executable: browser.executable,
    headless: !options.headed,
  };
  return {
    asked: options.url,
    jsonFile,
    browser,
    own,
    network: await networkFor(target, options.network),
    request: { target, shape, design, browser: asBrowser, realRoot, keep, loadTimeoutMs },
  };
}

async function carryOut(
  { asked, jsonFile, browser, own, network, request }: RunPlan,
  runId: string,
  directory: RunDirectory,
  ownerPid: string | undefined,
  terminal: Terminal,
): Promise<FollowedRun> {
  const { design, shape, realRoot } = request;
  const createdAt = new Date().toISOString();
  const environment = await readEnvironment(towlineVersion, {
    name: request.browser.family,
    version: browser.version,
    headless: request.browser.headless,
    ...(own === null ? {} : { own: true }),
  });
  const path = { kind: network.kind, asked: shape, notes: network.notes };
  const forgetLab = await registerLabOf(request.target, runId);
  const scratch = network.kind === 'none' ? join(tmpdir(), scratchName(runId)) : scratchName(runId);
  await directory.writeJournal({
    scratch: network.kind === 'none' ? scratch : null,
    temporaryRecord: jsonFile && temporaryFileOf(jsonFile, runId),
  });
  const fileOf = (name: string): string => join(import.meta.dirname, name);
  const command = [process.execPath, fileOf('engine.js'), runId];
  const engine = new EngineProcess(capsuleCommand(network.kind, realRoot, command));
  // Only these two kinds make anything that the kernel does not take away with the capsule.
  const guarded = network.kind === 'root' || network.kind === 'none';
  const guardian = guarded ? await startGuardian(fileOf('guardian.js'), runId, engine.pid) : null;
  const stopListening = cancelOn(
    engine,
    terminal,
    ownerPid,
    own === null ? null : browserClosed().toReport(),
  );
  const inBrowser = { ...request.browser, own: own && { ...own, directory: directory.path } };
  try {
    return await followRun(
      engine.run({ ...request, browser: inBrowser, runId, network, scratch }),
      new RecordBuilder({ id: runId, createdAt, asked, environment, design, path }),
      new RunProgress(runId, asked, createdAt, design, () => performance.now()),
      {
        status: async (status) => {
          terminal.progress(status);
          await directory.writeStatus(status);
        },
        record: async (record) => {
          await directory.writeRecord(record);
          if (jsonFile === null) return;
          await writeFileAtomically(jsonFile, `${JSON.stringify(record)}\n`, { mark: runId });
        },
      },
      () => engine.lastWords,
    );
  } finally {
    stopListening();
    await forgetLab?.();
    await guardian?.release();
  }
}

/** What earlier runs have left is no reason not to measure. */
async function cleanUpBefore(terminal: Terminal): Promise<void> {
  try {
    await cleanUp(process.getuid?.() === 0);
  } catch (error) {
    terminal.remark(
      `What an earlier run left could not be removed: ${reportOf(error, 'environment').message}`,
    );
  }
}

/** What to load, and, in the lab, from servers of which kind. */
function targetOf(options: CompareOptions & LabOptions, arms: readonly Arm[]): EngineRequest['target'] {
  const target = parseTarget(options.url, pageNames);
  if (target.kind === 'lab') return { ...target, setup: parseLabSetup(options, arms) };
  refuseLabOptions(options);
  return target;
}

/** A comparison's lab is known to `lab status` as long as it runs. @returns null for a live site */
async function registerLabOf(
  target: EngineRequest['target'],
  runId: string,
): Promise<(() => Promise<void>) | null> {
  if (target.kind !== 'lab') return null;
  const servers = labServers(target.setup).map(({ name, port, addresses }) => ({
    ...{ name, port, addresses: [...addresses] },
  }));
  const url = `https://${servers[0]?.name ?? ''}/${target.page}/`;
  return await registerLab({ id: runId.slice(0, 8), kind: 'comparison', url, servers });
}

function designOf(options: CompareOptions): Design {
  const arms = parseArms(options.arms);
  return planDesign({
    arms,
    ...parseRunLength(options, arms.length),
    seed:
      options.seed === undefined ? randomInt(2 ** 31) : parseWhole('--seed', options.seed, 0, 2 ** 32 - 1),
    gapMs: parseDurationMs('--gap', options.gap, 3_600_000),
  });
}

async function networkFor(target: EngineRequest['target'], asked: string): Promise<EngineRequest['network']> {
  if (target.kind === 'lab') return { kind: 'lab', notes: [] };
  return await chooseNetwork({ asked, targetHost: new URL(target.url).hostname });
}

/** Refuses a record file that could not be written, before anything is measured. */
async function writableFile(path: string): Promise<string> {
  const file = resolve(path);
  try {
    await access(dirname(file), constants.W_OK);
  } catch (cause) {
    throw new TowlineError(
      'write-failed',
      'arguments',
      `--json: nothing can be written to ${dirname(file)}.`,
      {
        remedy: 'Name a file in a directory that exists and that you may write to.',
        cause,
      },
    );
  }
  return file;
}

/** A second Ctrl-C this much later than the first means that the person will not wait. */
const patienceMs = 1_500;

/**
 * Ctrl-C, a polite kill, or the end of the browser that asked: the run stops and keeps what is done.
 * @param ownerLost what the end of that browser is to the run; null where it only means that nobody wants it any more
 */
function cancelOn(
  engine: EngineProcess,
  terminal: Terminal,
  ownerPid: string | undefined,
  ownerLost: ErrorReport | null,
): () => void {
  let cancelledAtMs: number | null = null;
  const cancelFor = (error: ErrorReport | null): void => {
    if (cancelledAtMs === null) {
      cancelledAtMs = performance.now();
      terminal.remark('Stopping; finished trials are kept.');
      engine.cancel(error);
    } else if (performance.now() - cancelledAtMs > patienceMs) {
      // Programs such as timeout(1) send their signal twice at once; a person does not. The capsule dies with us.
      process.exit(1);
    }
  };
  const cancel = (): void => {
    cancelFor(null);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, cancel);
  const onOwnerGone = (): void => {
    cancelFor(ownerLost);
  };
  const stopWatching = ownerPid === undefined ? null : watchOwner(Number(ownerPid), onOwnerGone);
  return () => {
    for (const signal of signals) process.off(signal, cancel);
    stopWatching?.();
  };
}

/** Shows the result and decides the exit status. */
function report({ record, writeError }: FollowedRun, jsonFile: string | null, terminal: Terminal): number {
  const valid = record.trials.some(({ verdict }) => verdict.valid);
  // Where nothing was measured, the error says it all.
  if (valid || (record.trials.length > 0 && !record.error)) {
    terminal.print(comparisonTable(record, terminal.format));
  }
  if (jsonFile !== null && writeError === null) terminal.print(`Record: ${jsonFile}`);
  for (const error of [record.error, writeError]) if (error) terminal.error(error);
  const fault = record.error ?? writeError;
  if (fault) return errorCodes[fault.code];
  return record.outcome === 'complete' && everyArmCounted(record) ? 0 : 1;
}

function everyArmCounted({ statistics }: ComparisonRecord): boolean {
  return statistics.arms.every(({ valid }) => valid > 0);
}

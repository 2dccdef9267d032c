import { join } from 'node:path';
import type { Arm } from '../../shared/record/arm.ts';
import type { Path, PathMeasurement } from '../../shared/record/path.ts';
import type { Http3Discovery } from '../../shared/record/record.ts';
import type { Trial } from '../../shared/record/trial.ts';
import { reportOf, TowlineError, type ErrorReport } from '../../shared/errors/towline-error.ts';
import type { Capsule } from '../network/enter-capsule.ts';
import type { EngineEvent, EngineRequest } from './engine-protocol.ts';
import { discoverHttp3, hostAndPort } from './discover-http3.ts';
import { measureBeforeUse } from './measure-before-use.ts';
import { openSetting, type Setting } from './open-setting.ts';
import { runComparison } from './run-comparison.ts';
import { TrialPipeline } from './trial-pipeline.ts';
import { trialRequest } from './trial-request-for.ts';
import { workerCommand } from './worker-command.ts';

export interface EngineOptions {
  /** The bundled trial worker. */
  workerFile: string;
  /** The capsule this process has entered. */
  capsule: Capsule;
  tell: (event: EngineEvent) => void;
  /** Opens page and network; another one lets a test change the network while the run goes on. */
  open?: typeof openSetting;
}

/** The measuring engine: one comparison, from the network to the last trial. Lives in a capsule. */
export class Engine {
  readonly #options: EngineOptions;
  #pipeline: TrialPipeline | null = null;
  #cancelled = false;
  /** Why it was cancelled, where that was no wish. */
  #cause: ErrorReport | null = null;

  constructor(options: EngineOptions) {
    this.#options = options;
  }

  /**
   * Ends the run after the trials that are done.
   * @param error why it cannot go on; null when it was not wanted any longer
   */
  cancel(error: ErrorReport | null): void {
    this.#cancelled = true;
    this.#cause ??= error;
    this.#pipeline?.cancel();
  }

  /** Runs the comparison and tells everything; a failure is told too, so this never throws. */
  async run(request: EngineRequest): Promise<void> {
    const { tell, capsule, open = openSetting } = this.#options;
    let setting: Setting | null = null;
    try {
      tell({ type: 'activity', state: 'preparing', text: 'Making the network' });
      setting = await open(request, capsule);
      await this.#measureAndRun(request, setting);
      if (this.#cause) throw TowlineError.fromReport(this.#cause);
      tell({ type: 'ended', outcome: this.#cancelled ? 'cancelled' : 'complete', error: null });
    } catch (error) {
      tell({ type: 'ended', outcome: 'failed', error: this.#cause ?? reportOf(error, 'comparison') });
    } finally {
      await this.#pipeline?.close();
      await setting?.close();
    }
  }

  async #measureAndRun(request: EngineRequest, setting: Setting): Promise<void> {
    const { tell } = this.#options;
    const { path, target } = setting;
    let measured: PathMeasurement | null = null;
    const notes = [...request.network.notes, ...path.notes];
    if (request.shape) {
      tell({ type: 'activity', state: 'measuring-path', text: 'Measuring the network before it is used' });
      const before = await measureBeforeUse(path);
      measured = before.measured;
      notes.push(...before.notes);
    }
    const asked = request.shape;
    const described: Path = {
      kind: path.kind,
      router: path.router,
      asked,
      measuredBefore: measured,
      measuredAfter: null,
      notes,
    };
    tell({ type: 'path', path: described, target });

    let http3: Http3Discovery = setting.knownHttp3 ?? {
      origins: [],
      detail: 'Not looked for: the h3 arm was not asked for.',
    };
    const page = { url: target.url, shards: setting.shards };
    const pipeline = new TrialPipeline({
      path,
      setting: { page, path: described, own: request.browser.own !== null },
      gapMs: request.design.gapMs,
      scratchDirectory: join(this.#options.capsule.scratch, 'trials'),
      loadTimeoutMs: request.loadTimeoutMs,
      workerCommand: (namespace) =>
        workerCommand(this.#options.workerFile, request.runId, namespace, path.kind !== 'none'),
      requestFor: (place, namespace, scratch) =>
        trialRequest({
          request,
          setting,
          http3Origins: http3.origins.map(({ origin }) => origin),
          place,
          namespace,
          scratch,
        }),
      onStart: ({ arm, index }) => {
        tell({ type: 'trial-started', arm, index });
      },
    });
    this.#pipeline = pipeline;

    const hopeless = new Map<Arm, string>();
    if (request.design.arms.includes('h3') && setting.knownHttp3 === null) {
      tell({ type: 'activity', state: 'preparing', text: 'Looking for origins that offer HTTP/3' });
      http3 = await discoverHttp3(pipeline);
      if (!http3.origins.some(({ origin }) => origin === hostAndPort(target.url))) {
        hopeless.set('h3', noHttp3(target.url, http3));
      }
    }
    if (request.design.arms.includes('h3')) tell({ type: 'http3', http3 });

    tell({ type: 'activity', state: 'running', text: 'Loading the page' });
    const trials = await runComparison(
      request.design,
      page,
      pipeline,
      {
        onTrial: (trial) => {
          tell({ type: 'trial', trial });
        },
        onBlock: (trials) => {
          tell({ type: 'block', trials: [...trials] });
        },
        onArmGivenUp: (arm, reason) => {
          tell({ type: 'arm-given-up', arm, reason });
        },
      },
      hopeless,
    );

    if (!this.#cancelled) throwIfNothingLoaded(trials);
    if (request.shape && !this.#cancelled) {
      tell({ type: 'activity', state: 'measuring-path', text: 'Measuring the network again' });
      tell({ type: 'path-after', measured: await path.measure({ afterLoads: true }) });
    }
  }
}

/** A page that never loaded is an answer about the page, not about protocols. */
function throwIfNothingLoaded(trials: readonly Trial[]): void {
  const last = trials.at(-1)?.error;
  if (last && trials.every(({ error }) => error !== null)) throw TowlineError.fromReport(last);
}

function noHttp3(url: string, { detail }: Http3Discovery): string {
  return `${new URL(url).origin} does not offer HTTP/3, so there is no h3 arm. ${detail}`;
}

import type { Arm } from '../../shared/record/arm.ts';
import type { ErrorReport } from '../../shared/errors/towline-error.ts';
import {
  recordVersion,
  type ComparisonRecord,
  type Design,
  type Environment,
} from '../../shared/record/record.ts';
import type { Trial } from '../../shared/record/trial.ts';
import { summarise } from '../../shared/stats/summarise.ts';
import type { EngineEvent } from './engine-protocol.ts';

export interface RecordHeader {
  id: string;
  createdAt: string;
  /** As asked: an address or `lab:PAGE`. */
  asked: string;
  environment: Environment;
  design: Design;
  path: Pick<ComparisonRecord['path'], 'kind' | 'asked' | 'notes'>;
}

/** Grows a record from what the engine tells, so that it is whole at every moment, whatever happens next. */
export class RecordBuilder {
  #record: ComparisonRecord;
  /** Trials told of whose block has not been judged yet. */
  #pending: Trial[] = [];

  constructor({ id, createdAt, asked, environment, design, path }: RecordHeader) {
    this.#record = {
      format: 'towline-record',
      version: recordVersion,
      id,
      createdAt,
      environment,
      target: { asked, url: asked, lab: null },
      design,
      path: { ...path, router: null, measuredBefore: null, measuredAfter: null },
      http3: null,
      trials: [],
      statistics: summarise([], design),
      outcome: 'running',
      error: null,
    };
  }

  /** Every trial so far, those of an unfinished block too. */
  get trials(): readonly Trial[] {
    return [...this.#record.trials, ...this.#pending];
  }

  /** Takes in one event. */
  apply(event: EngineEvent): void {
    const record = this.#record;
    switch (event.type) {
      case 'path':
        record.path = event.path;
        record.target = event.target;
        break;
      case 'http3':
        record.http3 = event.http3;
        break;
      case 'browser':
        record.environment = {
          ...record.environment,
          browser: { ...record.environment.browser, version: event.version },
        };
        break;
      case 'trial':
        this.#pending.push(event.trial);
        break;
      case 'block':
        record.trials.push(...event.trials);
        this.#pending = [];
        break;
      case 'arm-given-up':
        this.note(giveUpSentence(event.arm, event.reason));
        break;
      case 'path-after':
        record.path = { ...record.path, measuredAfter: event.measured };
        break;
      case 'ended':
        this.end(event.outcome, event.error);
        break;
      case 'activity':
      case 'trial-started':
        break;
    }
  }

  /** Adds a plain sentence to the path's notes. */
  note(sentence: string): void {
    this.#record.path = { ...this.#record.path, notes: [...this.#record.path.notes, sentence] };
  }

  /** Closes the record: nothing is measured any more. */
  end(outcome: ComparisonRecord['outcome'], error: ErrorReport | null): void {
    this.#record.outcome = outcome;
    this.#record.error = error;
  }

  /**
   * The record as it stands, with its statistics. Trials of an unjudged block are kept too.
   * @param resamples of the bootstrap: the more, the steadier the intervals and the longer it takes
   */
  build(resamples: number): ComparisonRecord {
    const trials = [...this.trials];
    return { ...this.#record, trials, statistics: summarise(trials, this.#record.design, { resamples }) };
  }
}

function giveUpSentence(arm: Arm, reason: string): string {
  return `The ${arm} arm was left out: ${reason.replace(/\.$/, '')}.`;
}

import type { OpenedRecord, RecordOpener } from './record-opener.ts';

/** The keys a direction goes through, in this order; TLS 1.2 has the last alone. */
export type KeyStage = 'early-data' | 'handshake' | 'application';

/** Most records that may be missing between two that are there; each costs one try to open. */
const maxSlack = 256;

/**
 * Where one direction of a connection is in its keys and record numbers. Neither is said in the clear: they
 * are counted, and after a loss the tag tells which of the numbers and keys that may be it is.
 */
export class KeyTrack {
  /** Records passed over, because they are missing, before the one opened last. */
  skipped = 0;

  readonly #stages: readonly KeyStage[];
  readonly #openerOf: (stage: KeyStage) => RecordOpener | null;
  #at = 0;
  #opener: RecordOpener | null = null;
  #sequence = 0;
  /** How many records more than those counted may have been sent under this key. */
  #slack = 0;

  /** @param openerOf the stage's first key, or null while it is not known; asked again until it is */
  constructor(stages: readonly KeyStage[], openerOf: (stage: KeyStage) => RecordOpener | null) {
    this.#stages = stages;
    this.#openerOf = openerOf;
  }

  /** The stage of the record opened last, or of the first one. */
  get stage(): KeyStage {
    return this.#stages[this.#at]!;
  }

  /** @returns `no-key` when neither this stage's key nor a later one's is known; null when none of them opens it */
  open(header: Uint8Array, body: Uint8Array): OpenedRecord | 'no-key' | null {
    this.#opener ??= this.#openerOf(this.stage);
    if (this.#opener !== null) {
      const opened = this.#try(this.#opener, this.#sequence, header, body);
      if (opened !== null) return opened;
    }
    let keys = this.#opener === null ? 0 : 1;
    for (let later = this.#at + 1; later < this.#stages.length; later += 1) {
      const opener = this.#openerOf(this.#stages[later]!);
      if (opener === null) continue;
      keys += 1;
      const opened = this.#try(opener, 0, header, body);
      if (opened !== null) {
        this.#at = later;
        return opened;
      }
    }
    if (keys === 0) return 'no-key';
    const updated = this.#slack > 0 ? this.#opener?.next() : null;
    const opened = updated ? this.#try(updated, 0, header, body) : null;
    if (opened === null) this.lose(1);
    else this.skipped += 1;
    return opened;
  }

  /** The key changed to the next stage's, by a Finished or an EndOfEarlyData. */
  advance(): void {
    if (this.#at + 1 < this.#stages.length) this.#use(this.#at + 1, null);
  }

  /** The key changed by a KeyUpdate. */
  update(): void {
    this.#use(this.#at, this.#opener?.next() ?? null);
  }

  /** Up to `records` were sent that will not come here. */
  lose(records: number): void {
    this.#slack = Math.min(maxSlack, this.#slack + records);
  }

  #use(stage: number, opener: RecordOpener | null): void {
    this.#at = stage;
    this.#opener = opener;
    this.#sequence = 0;
    this.#slack = 0;
  }

  #try(opener: RecordOpener, from: number, header: Uint8Array, body: Uint8Array): OpenedRecord | null {
    for (let sequence = from; sequence <= from + this.#slack; sequence += 1) {
      const opened = opener.open(sequence, header, body);
      if (opened !== null) {
        this.skipped = sequence - from;
        this.#opener = opener;
        this.#sequence = sequence + 1;
        this.#slack = 0;
        return opened;
      }
    }
    return null;
  }
}

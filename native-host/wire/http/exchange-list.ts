import { ExchangeDraft } from './exchange-draft.ts';

/** Exchanges kept of one connection. Servers commonly close an HTTP/1.1 or HTTP/2 connection after 1,000. */
const maxExchanges = 65_536;

/** The exchanges of one connection, by stream, in the order in which they were first seen. */
export class ExchangeList {
  readonly #byStream = new Map<number, ExchangeDraft>();
  readonly #notes: Set<string>;

  /** @param notes gets a sentence when there are too many to keep */
  constructor(notes: Set<string>) {
    this.#notes = notes;
  }

  get all(): readonly ExchangeDraft[] {
    return [...this.#byStream.values()];
  }

  find(streamId: number): ExchangeDraft | undefined {
    return this.#byStream.get(streamId);
  }

  /** The exchange of a stream, made when it is new; undefined beyond the limit. */
  at(streamId: number): ExchangeDraft | undefined {
    const known = this.#byStream.get(streamId);
    if (known) return known;
    const draft = new ExchangeDraft(streamId);
    return this.add(streamId, draft) ? draft : undefined;
  }

  /** @returns false beyond the limit, or when the stream has an exchange already */
  add(streamId: number, draft: ExchangeDraft): boolean {
    if (this.#byStream.has(streamId)) return false;
    if (this.#byStream.size >= maxExchanges) {
      this.#notes.add(`Only the first ${maxExchanges} requests of a connection were read.`);
      return false;
    }
    this.#byStream.set(streamId, draft);
    return true;
  }
}

import { QpackDecoder } from './fields/qpack-decoder.ts';
import { HeadFields } from './head-fields.ts';

/** Field sections kept while they wait for encoder instructions. Browsers allow 100 blocked streams. */
const maxWaiting = 256;

/** What they may hold together, bytes. */
const maxWaitingBytes = 1_048_576;

interface WaitingSection {
  readonly section: Uint8Array;
  readonly onFields: (fields: HeadFields) => void;
}

/**
 * The field sections of one direction of an HTTP/3 connection. One that needs encoder instructions not yet
 * seen waits for them (a blocked stream, RFC 9204 section 2.1.2).
 */
export class FieldSections {
  readonly #qpack = new QpackDecoder();
  readonly #notes: Set<string>;
  #waiting: WaitingSection[] = [];
  #waitingBytes = 0;

  constructor(notes: Set<string>) {
    this.#notes = notes;
  }

  /** @param bytes SETTINGS_QPACK_MAX_TABLE_CAPACITY of the endpoint this direction goes to */
  setMaxTableCapacity(bytes: number): void {
    this.#qpack.maxTableCapacityBytes = bytes;
    this.#retry();
  }

  pushInstructions(bytes: Uint8Array): void {
    const inserted = this.#qpack.table.insertCount;
    this.#qpack.pushInstructions(bytes);
    if (this.#qpack.broken || this.#qpack.table.insertCount > inserted) this.#retry();
  }

  /** @param onFields called once, now or when the section can be decoded; never when it cannot */
  decode(section: Uint8Array, onFields: (fields: HeadFields) => void): void {
    if (this.#tryDecode({ section, onFields })) return;
    if (this.#waiting.length >= maxWaiting || this.#waitingBytes + section.length > maxWaitingBytes) {
      this.#noteUndecodable();
      return;
    }
    this.#waiting.push({ section: Uint8Array.from(section), onFields });
    this.#waitingBytes += section.length;
  }

  #retry(): void {
    this.#waiting = this.#waiting.filter((waiting) => !this.#tryDecode(waiting));
    this.#waitingBytes = this.#waiting.reduce((sum, { section }) => sum + section.length, 0);
  }

  /** @returns false when it must wait */
  #tryDecode({ section, onFields }: WaitingSection): boolean {
    const fields = new HeadFields();
    const outcome = this.#qpack.decodeSection(section, fields.take);
    if (outcome === 'decoded') onFields(fields);
    if (outcome === 'failed') this.#noteUndecodable();
    return outcome !== 'blocked';
  }

  #noteUndecodable(): void {
    this.#notes.add('A field section could not be decoded (QPACK): some requests lack fields.');
  }
}

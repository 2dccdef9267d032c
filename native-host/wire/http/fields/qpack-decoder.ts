import { ByteAccumulator } from '../../byte-accumulator.ts';
import { DynamicTable } from './dynamic-table.ts';
import type { Field, FieldSink } from './field.ts';
import { FieldCursor } from './field-cursor.ts';
import { qpackStaticTable } from './qpack-static-table.ts';

/** An entry costs at least its overhead, so a table holds at most capacity / 32 of them (RFC 9204, 4.5.1.1). */
const minEntryBytes = 32;

/** Longest encoder instruction waited for: two strings of the longest kind and their lengths. */
const maxInstructionBytes = 131_200;

/** `blocked`: needs encoder instructions (or the settings) that have not come yet. */
export type SectionOutcome = 'decoded' | 'blocked' | 'failed';

/** Reads the field sections of one direction of one HTTP/3 connection, with its encoder stream (RFC 9204). */
export class QpackDecoder {
  readonly table = new DynamicTable(0);
  /**
   * SETTINGS_QPACK_MAX_TABLE_CAPACITY of the endpoint that receives this direction; null until it was seen.
   * Needed because the insert count is sent modulo twice the entries it allows.
   */
  maxTableCapacityBytes: number | null = null;
  readonly #instructions = new ByteAccumulator();
  #neededBytes = 0;
  #broken = false;

  /** True once the encoder stream could not be followed: sections that use the dynamic table then fail. */
  get broken(): boolean {
    return this.#broken;
  }

  /** The next bytes of the encoder stream, its type left out. */
  pushInstructions(bytes: Uint8Array): void {
    if (this.#broken) return;
    this.#instructions.append(bytes);
    if (this.#instructions.length < this.#neededBytes) return;
    const cursor = new FieldCursor(this.#instructions.bytes);
    let doneBytes = 0;
    while (!cursor.atEnd && this.#runInstruction(cursor)) doneBytes = cursor.at;
    this.#neededBytes = cursor.failure === 'short' ? cursor.neededBytes - doneBytes : 0;
    if (cursor.failure === 'malformed' || this.#neededBytes > maxInstructionBytes) this.#broken = true;
    if (this.#broken) this.#instructions.clear();
    else this.#instructions.dropFirst(doneBytes);
  }

  /** `onField` gets fields only when all the section needs is there, but may get some before a `failed`. */
  decodeSection(section: Uint8Array, onField: FieldSink): SectionOutcome {
    const cursor = new FieldCursor(section);
    const encodedInsertCount = cursor.integer(8);
    const negative = (cursor.peek() & 0x80) !== 0;
    const delta = cursor.integer(7);
    if (cursor.failed()) return 'failed';
    if (encodedInsertCount > 0 && this.maxTableCapacityBytes === null) return 'blocked';
    const required = this.#requiredInsertCount(encodedInsertCount);
    if (required === null) return 'failed';
    if (required > this.table.insertCount) return this.#broken ? 'failed' : 'blocked';

    const base = negative ? required - delta - 1 : required + delta;
    while (!cursor.atEnd) {
      const field = this.#fieldLine(cursor, base);
      if (!field || cursor.failed()) return 'failed';
      onField(field.name, field.value);
    }
    return 'decoded';
  }

  /** RFC 9204 section 4.5.1.1. */
  #requiredInsertCount(encoded: number): number | null {
    if (encoded === 0) return 0;
    const maxEntries = Math.floor((this.maxTableCapacityBytes ?? 0) / minEntryBytes);
    const fullRange = 2 * maxEntries;
    if (encoded > fullRange) return null;
    const maxValue = this.table.insertCount + maxEntries;
    const count = Math.floor(maxValue / fullRange) * fullRange + encoded - 1;
    if (count <= maxValue) return count === 0 ? null : count;
    return count > fullRange ? count - fullRange : null;
  }

  /** RFC 9204 section 4.5. Undefined when it refers to nothing. */
  #fieldLine(cursor: FieldCursor, base: number): Field | undefined {
    const first = cursor.peek();
    if (first >= 0x80) {
      const isStatic = (first & 0x40) !== 0;
      const index = cursor.integer(6);
      return isStatic ? qpackStaticTable[index] : this.table.get(base - index - 1);
    }
    if (first >= 0x40) {
      const isStatic = (first & 0x10) !== 0;
      const index = cursor.integer(4);
      return named(isStatic ? qpackStaticTable[index] : this.table.get(base - index - 1), cursor.string(7));
    }
    if (first >= 0x20) {
      const name = cursor.string(3);
      return { name, value: cursor.string(7) };
    }
    if (first >= 0x10) return this.table.get(base + cursor.integer(4));
    return named(this.table.get(base + cursor.integer(3)), cursor.string(7));
  }

  /**
   * RFC 9204 section 4.3. Nothing is done before the whole instruction is there.
   *
   * @returns false when it was not, or made no sense
   */
  #runInstruction(cursor: FieldCursor): boolean {
    const first = cursor.peek();
    if (first >= 0x80) {
      const isStatic = (first & 0x40) !== 0;
      const index = cursor.integer(6);
      const value = cursor.string(7);
      return (
        !cursor.failed() &&
        this.#insert(named(isStatic ? qpackStaticTable[index] : this.#relative(index), value))
      );
    }
    if (first >= 0x40) {
      const name = cursor.string(5);
      const value = cursor.string(7);
      return !cursor.failed() && this.#insert({ name, value });
    }
    const argument = cursor.integer(5);
    if (cursor.failed()) return false;
    if (first < 0x20) return this.#insert(this.#relative(argument));
    this.table.setCapacity(argument);
    return true;
  }

  /** On the encoder stream, indexes count back from the newest entry: RFC 9204 section 3.2.5. */
  #relative(index: number): Field | undefined {
    return this.table.get(this.table.insertCount - index - 1);
  }

  #insert(field: Field | undefined): boolean {
    const inserted = field !== undefined && this.table.insert(field);
    if (!inserted) this.#broken = true;
    return inserted;
  }
}

function named(entry: Field | undefined, value: string): Field | undefined {
  return entry && { name: entry.name, value };
}

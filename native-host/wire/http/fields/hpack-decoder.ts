import { DynamicTable } from './dynamic-table.ts';
import { unknownField, type Field, type FieldSink } from './field.ts';
import { FieldCursor } from './field-cursor.ts';
import { hpackStaticTable } from './hpack-static-table.ts';

/** RFC 9113 section 6.5.2, SETTINGS_HEADER_TABLE_SIZE. */
const initialCapacityBytes = 4096;

/**
 * Reads the header blocks of one direction of one HTTP/2 connection, in their order (RFC 7541).
 *
 * The capacity follows the encoder's own size updates. The setting that limits them travels the other way and
 * need not be read: an encoder that takes a larger or smaller table says so.
 */
export class HpackDecoder {
  readonly table: DynamicTable;
  readonly #joinedLate: boolean;
  #broken = false;

  /**
   * @param joinedLate when earlier blocks were not seen: references to what they inserted then give unknown
   *   fields instead of breaking the decoder
   */
  constructor({ joinedLate = false, capacityBytes = initialCapacityBytes } = {}) {
    this.#joinedLate = joinedLate;
    this.table = new DynamicTable(capacityBytes);
  }

  /** Call when a block was lost: its insertions are missing, so no later block can be trusted. */
  break(): void {
    this.#broken = true;
  }

  /**
   * @returns false when the block is not HPACK; `onField` may have had some of its fields, and every later
   *   block gives false too, since the tables have come apart
   */
  decode(block: Uint8Array, onField: FieldSink): boolean {
    const cursor = new FieldCursor(block);
    while (!this.#broken && !cursor.atEnd) this.#decodeOne(cursor, onField);
    return !this.#broken;
  }

  #decodeOne(cursor: FieldCursor, onField: FieldSink): void {
    const first = cursor.peek();
    if (first >= 0x80) {
      const { name, value } = this.#entry(cursor.integer(7));
      if (this.#check(cursor)) onField(name, value);
    } else if (first >= 0x40) {
      const field = this.#literal(cursor, 6);
      if (!this.#check(cursor)) return;
      this.table.insert(field);
      onField(field.name, field.value);
    } else if (first >= 0x20) {
      const capacityBytes = cursor.integer(5);
      if (this.#check(cursor)) this.table.setCapacity(capacityBytes);
    } else {
      const { name, value } = this.#literal(cursor, 4);
      if (this.#check(cursor)) onField(name, value);
    }
  }

  /** A literal, its name by index or, with index 0, spelt out: RFC 7541 section 6.2. */
  #literal(cursor: FieldCursor, prefixBits: number): Field {
    const index = cursor.integer(prefixBits);
    const name = index === 0 ? cursor.string(7) : this.#entry(index).name;
    return { name, value: cursor.string(7) };
  }

  /** RFC 7541 section 2.3.3: static entries first, then dynamic ones, the newest first. */
  #entry(index: number): Field {
    const fixed = hpackStaticTable[index - 1];
    if (fixed) return fixed;
    const entry = this.table.get(this.table.insertCount - (index - hpackStaticTable.length));
    if (!entry && (index === 0 || !this.#joinedLate)) this.#broken = true;
    return entry ?? unknownField;
  }

  #check(cursor: FieldCursor): boolean {
    if (cursor.failed()) this.#broken = true;
    return !this.#broken;
  }
}

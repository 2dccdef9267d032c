import type { Field } from './field.ts';

/** Overhead of an entry: RFC 7541 section 4.1, RFC 9204 section 3.2.1. */
const entryOverheadBytes = 32;

/**
 * Largest capacity honoured, bytes. Browsers announce 64 KiB; what asks for more than this is kept from
 * filling the memory.
 */
const maxCapacityBytes = 1_048_576;

/** The dynamic table of HPACK and QPACK: newest entries in, oldest out when the capacity is reached. */
export class DynamicTable {
  /** Entries ever inserted; the newest has the absolute index `insertCount - 1`. */
  insertCount = 0;
  sizeBytes = 0;
  #capacityBytes: number;
  readonly #entries = new Map<number, Field>();

  constructor(capacityBytes: number) {
    this.#capacityBytes = capacityBytes;
  }

  get length(): number {
    return this.#entries.size;
  }

  /** @returns the entry with this absolute index, or undefined when it was never there or is gone */
  get(absoluteIndex: number): Field | undefined {
    return this.#entries.get(absoluteIndex);
  }

  setCapacity(bytes: number): void {
    this.#capacityBytes = Math.min(bytes, maxCapacityBytes);
    this.#evictDownTo(this.#capacityBytes);
  }

  /** @returns false when the entry alone is larger than the table, which is then empty (RFC 7541 section 4.4) */
  insert(field: Field): boolean {
    const size = sizeOf(field);
    this.#evictDownTo(this.#capacityBytes - size);
    if (size > this.#capacityBytes) return false;
    this.#entries.set(this.insertCount, field);
    this.insertCount += 1;
    this.sizeBytes += size;
    return true;
  }

  #evictDownTo(bytes: number): void {
    // A Map keeps the order of insertion: the first are the oldest.
    for (const [index, field] of this.#entries) {
      if (this.sizeBytes <= bytes) return;
      this.#entries.delete(index);
      this.sizeBytes -= sizeOf(field);
    }
  }
}

function sizeOf({ name, value }: Field): number {
  return name.length + value.length + entryOverheadBytes;
}

import * as v from 'valibot';
import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import { ObservationSchema, type Observation } from '../../shared/record/observation.ts';

interface Stored {
  id: string;
  startedAt: string;
  /** Length of the observation's JSON: what the size limit counts. */
  sizeBytes: number;
  observation: Observation;
}

interface Schema extends DBSchema {
  observations: { key: string; value: Stored; indexes: { age: [startedAt: string, sizeBytes: number] } };
}

const changes = 'towline-observations';

/** Not the comparisons' database: what was observed is never mixed with what was measured. */
function open(): Promise<IDBPDatabase<Schema>> {
  return openDB<Schema>('towline-observations', 1, {
    upgrade(database) {
      database
        .createObjectStore('observations', { keyPath: 'id' })
        .createIndex('age', ['startedAt', 'sizeBytes']);
    },
  });
}

/** What the recorder observed, in IndexedDB. */
export class ObservationStore {
  readonly #database = open();
  readonly #changes = new BroadcastChannel(changes);

  /** Changes one observation in one transaction; a null result leaves the store as it is. */
  async change(
    id: string,
    change: (before: Observation | null) => Observation | null,
  ): Promise<Observation | null> {
    const transaction = (await this.#database).transaction('observations', 'readwrite');
    const stored = await transaction.store.get(id);
    const after = change(stored?.observation ?? null);
    if (after) {
      const { startedAt } = after;
      const sizeBytes = JSON.stringify(after).length;
      await transaction.store.put({ id, startedAt, sizeBytes, observation: after });
    }
    await transaction.done;
    if (after) this.#changes.postMessage(id);
    return after;
  }

  /** Null for one that is not there, or is damaged. */
  async get(id: string): Promise<Observation | null> {
    const stored = await (await this.#database).get('observations', id);
    const parsed = v.safeParse(ObservationSchema, stored?.observation);
    return parsed.success ? parsed.output : null;
  }

  /** Newest first, at most so many; what is damaged is left out. */
  async newest(limit: number): Promise<Observation[]> {
    const found: Observation[] = [];
    const transaction = (await this.#database).transaction('observations');
    let cursor = await transaction.store.index('age').openCursor(null, 'prev');
    while (cursor && found.length < limit) {
      const parsed = v.safeParse(ObservationSchema, cursor.value.observation);
      if (parsed.success) found.push(parsed.output);
      cursor = await cursor.continue();
    }
    return found;
  }

  /** How many there are, and how large they are together. */
  async amount(): Promise<{ count: number; sizeBytes: number }> {
    const sizes = await this.#sizesOldestFirst();
    return { count: sizes.length, sizeBytes: sizes.reduce((sum, [, size]) => sum + size, 0) };
  }

  /** Deletes what is older than the limit, then the oldest until the rest is small enough. */
  async prune({ maxAgeDays, maxBytes }: { maxAgeDays: number; maxBytes: number }): Promise<void> {
    const sizes = await this.#sizesOldestFirst();
    let total = sizes.reduce((sum, [, size]) => sum + size, 0);
    const oldest = new Date(Date.now() - maxAgeDays * 86_400_000).toISOString();
    const surplus = sizes.findIndex(([startedAt, size]) => {
      if (startedAt >= oldest && total <= maxBytes) return true;
      total -= size;
      return false;
    });
    const last = sizes[(surplus < 0 ? sizes.length : surplus) - 1];
    if (!last) return;
    const transaction = (await this.#database).transaction('observations', 'readwrite');
    let cursor = await transaction.store.index('age').openCursor(IDBKeyRange.upperBound(last));
    while (cursor) {
      await cursor.delete();
      cursor = await cursor.continue();
    }
    await transaction.done;
    this.#changes.postMessage(null);
  }

  async erase(): Promise<void> {
    await (await this.#database).clear('observations');
    this.#changes.postMessage(null);
  }

  /** Tells of changes made elsewhere: by the background, or another page. */
  onChange(listener: () => void): void {
    this.#changes.addEventListener('message', listener);
  }

  async close(): Promise<void> {
    this.#changes.close();
    (await this.#database).close();
  }

  /** From the index alone: no observation is read. */
  async #sizesOldestFirst(): Promise<[startedAt: string, sizeBytes: number][]> {
    const sizes: [string, number][] = [];
    const index = (await this.#database).transaction('observations').store.index('age');
    let cursor = await index.openKeyCursor();
    while (cursor) {
      sizes.push(cursor.key);
      cursor = await cursor.continue();
    }
    return sizes;
  }
}

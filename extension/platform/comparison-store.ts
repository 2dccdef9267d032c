import * as v from 'valibot';
import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import type { ComparisonRecord } from '../../shared/record/record.ts';
import { readRecord } from '../../shared/record/read-record.ts';
import {
  ComparisonSummarySchema,
  summaryOf,
  type ComparisonSummary,
  type StoredComparison,
} from '../../shared/record/comparison-summary.ts';

/**
 * Two stores, so that a list of a thousand comparisons reads no trial: `records` holds each record as JSON
 * text, exactly what export gives and {@link readRecord} checks; `summaries` holds what the overview shows.
 */
interface Schema extends DBSchema {
  records: { key: string; value: { id: string; text: string } };
  summaries: { key: string; value: ComparisonSummary; indexes: { createdAt: string } };
}

const changes = 'towline-comparisons';

function open(): Promise<IDBPDatabase<Schema>> {
  return openDB<Schema>('towline', 1, {
    upgrade(database) {
      database.createObjectStore('records', { keyPath: 'id' });
      database.createObjectStore('summaries', { keyPath: 'id' }).createIndex('createdAt', 'createdAt');
    },
  });
}

/** The history of comparisons, in IndexedDB. Every page of the extension may open one. */
export class ComparisonStore {
  readonly #database = open();
  readonly #changes = new BroadcastChannel(changes);

  /** Stores a record, replacing one of the same id. */
  async save(record: ComparisonRecord): Promise<void> {
    const database = await this.#database;
    const transaction = database.transaction(['records', 'summaries'], 'readwrite');
    await Promise.all([
      transaction.objectStore('records').put({ id: record.id, text: JSON.stringify(record) }),
      transaction.objectStore('summaries').put(summaryOf(record)),
      transaction.done,
    ]);
    this.#changes.postMessage(record.id);
  }

  /** All comparisons, newest first; one whose stored summary is damaged has `summary` null. */
  async list(): Promise<StoredComparison[]> {
    const database = await this.#database;
    const stored: { id: string }[] = await database.getAllFromIndex('summaries', 'createdAt');
    return stored.reverse().map((value) => {
      const summary = v.safeParse(ComparisonSummarySchema, value);
      return { id: value.id, summary: summary.success ? summary.output : null };
    });
  }

  /** The record's JSON as stored; null when there is none of this id. */
  async text(id: string): Promise<string | null> {
    const database = await this.#database;
    return (await database.get('records', id))?.text ?? null;
  }

  /**
   * One record, checked; null when there is none of this id.
   * @throws TowlineError `bad-record` or `newer-record`
   */
  async get(id: string): Promise<ComparisonRecord | null> {
    const text = await this.text(id);
    return text === null ? null : readRecord(text, id);
  }

  async delete(id: string): Promise<void> {
    const database = await this.#database;
    const transaction = database.transaction(['records', 'summaries'], 'readwrite');
    await Promise.all([
      transaction.objectStore('records').delete(id),
      transaction.objectStore('summaries').delete(id),
      transaction.done,
    ]);
    this.#changes.postMessage(id);
  }

  /** Tells of changes made by other pages and the background. */
  onChange(listener: () => void): void {
    this.#changes.addEventListener('message', listener);
  }

  async close(): Promise<void> {
    this.#changes.close();
    (await this.#database).close();
  }
}

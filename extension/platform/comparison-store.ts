import * as v from 'valibot';
import { openDB, type DBSchema, type IDBPDatabase, type IDBPTransaction } from 'idb';
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
 * text, exactly what export gives and {@link readRecord} checks; `summaries` holds what the overview shows,
 * written with its record and never apart from it. It is text too, which the browser hands over and parses
 * several times quicker than it clones a tree of objects.
 */
interface Schema extends DBSchema {
  records: { key: string; value: { id: string; text: string } };
  summaries: { key: string; value: SummaryEntry; indexes: { asked: string } };
}

interface SummaryEntry {
  id: string;
  asked: string;
  text: string;
}

const changes = 'towline-comparisons';

function open(): Promise<IDBPDatabase<Schema>> {
  return openDB<Schema>('towline', 2, {
    upgrade(database, from, _to, transaction) {
      if (from === 1) {
        void bringSummariesOver(database, transaction);
        return;
      }
      database.createObjectStore('records', { keyPath: 'id' });
      createSummaries(database);
    },
  });
}

function createSummaries(database: IDBPDatabase<Schema>) {
  const summaries = database.createObjectStore('summaries', { keyPath: 'id' });
  summaries.createIndex('asked', 'asked');
  return summaries;
}

/** Version 1 kept each summary as an object. */
async function bringSummariesOver(
  database: IDBPDatabase<Schema>,
  transaction: IDBPTransaction<Schema, ('records' | 'summaries')[], 'versionchange'>,
): Promise<void> {
  const old: unknown[] = await transaction.objectStore('summaries').getAll();
  database.deleteObjectStore('summaries');
  const summaries = createSummaries(database);
  for (const summary of old) void summaries.put(entryOf(summary as ComparisonSummary));
}

/** The history of comparisons, in IndexedDB. Every page of the extension may open one. */
export class ComparisonStore {
  readonly #changes = new BroadcastChannel(changes);
  #opened: Promise<IDBPDatabase<Schema>> | null = null;

  /** Stores a record, replacing one of the same id. */
  async save(record: ComparisonRecord): Promise<void> {
    const database = await this.#database();
    const transaction = database.transaction(['records', 'summaries'], 'readwrite');
    await Promise.all([
      transaction.objectStore('records').put({ id: record.id, text: JSON.stringify(record) }),
      transaction.objectStore('summaries').put(entryOf(summaryOf(record))),
      transaction.done,
    ]);
    this.#changes.postMessage(record.id);
  }

  /**
   * Comparisons, newest first; one whose stored summary is damaged has `summary` null, and comes last.
   * @param asked of this page alone; all when left out
   */
  async list(asked?: string): Promise<StoredComparison[]> {
    const database = await this.#database();
    const entries =
      asked === undefined
        ? await database.getAll('summaries')
        : await database.getAllFromIndex('summaries', 'asked', asked);
    return entries
      .map((entry) => ({ id: entry.id, summary: summaryIn(entry) }))
      .sort((a, b) => inTime(b.summary, a.summary));
  }

  /** One comparison's summary; null when there is none of this id, or it is damaged. */
  async summary(id: string): Promise<ComparisonSummary | null> {
    const entry = await (await this.#database()).get('summaries', id);
    return entry ? summaryIn(entry) : null;
  }

  /** The record's JSON as stored; null when there is none of this id. */
  async text(id: string): Promise<string | null> {
    const database = await this.#database();
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
    const database = await this.#database();
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
    (await this.#opened)?.close();
  }

  /** Opened when first needed: the popup seldom needs it, and shall not wait for it. */
  #database(): Promise<IDBPDatabase<Schema>> {
    this.#opened ??= open();
    return this.#opened;
  }
}

function entryOf(summary: ComparisonSummary): SummaryEntry {
  return { id: summary.id, asked: summary.asked, text: JSON.stringify(summary) };
}

/** Null where it is damaged. */
function summaryIn({ text }: SummaryEntry): ComparisonSummary | null {
  try {
    return v.parse(ComparisonSummarySchema, JSON.parse(text));
  } catch {
    return null;
  }
}

/** Orders by when they were made; the damaged, of which it is not known, come first. */
function inTime(one: ComparisonSummary | null, other: ComparisonSummary | null): number {
  const [a, b] = [one?.createdAt ?? '', other?.createdAt ?? ''];
  return a < b ? -1 : a > b ? 1 : 0;
}

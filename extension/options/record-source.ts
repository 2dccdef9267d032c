import type { StoredComparison } from '../../shared/record/comparison-summary.ts';
import type { ComparisonRecord } from '../../shared/record/record.ts';

/** Where the results pages get comparisons from: the extension's store, or a report's own data. */
export interface RecordSource {
  /**
   * Newest first.
   * @param asked of this page alone; all when left out
   */
  list(asked?: string): Promise<StoredComparison[]>;
  /** Null when there is none of this id. @throws TowlineError when it is damaged or newer than this Towline */
  get(id: string): Promise<ComparisonRecord | null>;
}

/** What a report on disk cannot do. */
export interface RecordEditing {
  /** @throws TowlineError `bad-record` or `newer-record` */
  add(text: string, name: string): Promise<ComparisonRecord>;
  delete(id: string): Promise<void>;
}

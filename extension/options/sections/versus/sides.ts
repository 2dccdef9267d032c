import type { ComparisonRecord } from '../../../../shared/record/record.ts';

/** One of two comparisons, and the letter it goes by. */
export interface Side {
  letter: 'A' | 'B';
  record: ComparisonRecord;
}

export function sides(first: ComparisonRecord, second: ComparisonRecord): readonly [Side, Side] {
  return [
    { letter: 'A', record: first },
    { letter: 'B', record: second },
  ];
}

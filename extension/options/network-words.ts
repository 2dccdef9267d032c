import type { Path, Shape } from '../../shared/record/path.ts';
import { describeShape } from '../../shared/record/describe-path.ts';
import { retell } from '../charts/retell.ts';
import { text, unbroken } from '../charts/text.ts';

/** A thousand comparisons have a handful of shapes. */
const told = new Map<string, string>();

/** A shaped network in a few words. */
export function shapeWords(shape: Shape): string {
  const words = describeShape(shape);
  const again = told.get(words) ?? unbroken(words.split(', ').map(retell).join(', '));
  told.set(words, again);
  return again;
}

/** The network in a few words: its shape, or whose it is. */
export function networkWords(kind: Path['kind'], shape: Shape | null): string {
  if (shape) return shapeWords(shape);
  return kind === 'lab' ? text('networkLab') : text('networkOwn');
}

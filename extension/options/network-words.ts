import type { Path, Shape } from '../../shared/record/path.ts';
import { describeShape } from '../../shared/record/describe-path.ts';
import { text } from '../charts/text.ts';

/** The network in a few words: its shape, or whose it is. */
export function networkWords(kind: Path['kind'], shape: Shape | null): string {
  if (shape) return describeShape(shape);
  return kind === 'lab' ? text('networkLab') : text('networkOwn');
}

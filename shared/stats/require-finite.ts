import { TowlineError } from '../errors/towline-error.ts';

/**
 * A statistic of NaN or Infinity would be a number that means nothing: it is refused instead.
 * @throws TowlineError `bad-argument` naming the value and its place
 */
export function requireFinite(values: ArrayLike<number>): void {
  for (let index = 0; index < values.length; index++) {
    if (!Number.isFinite(values[index])) {
      throw new TowlineError(
        'bad-argument',
        'comparison',
        `Value ${index} of ${values.length} is ${String(values[index])}: no statistic can be made of it.`,
        { remedy: 'Leave out what was not measured; a missing value is null, never NaN or Infinity.' },
      );
    }
  }
}

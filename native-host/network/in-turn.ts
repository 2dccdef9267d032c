/** The element whose turn it is. @throws RangeError where there is none */
export function inTurn<T>(values: readonly T[], turn: number): T {
  const value = values[turn % values.length];
  if (value === undefined) throw new RangeError('There is nothing to take in turn.');
  return value;
}

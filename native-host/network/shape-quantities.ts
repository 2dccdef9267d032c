import { TowlineError } from '../../shared/errors/towline-error.ts';

/** A kind of figure: its units as factors, and the range it must lie in, in the unit with factor 1. */
export interface Quantity {
  units: Readonly<Record<string, number>>;
  least: number;
  most: number;
  whole?: boolean;
  /** The range in words. */
  range: string;
}

/** ms */
export const time: Quantity = { units: { ms: 1, s: 1000 }, least: 0, most: 10_000, range: '0ms to 10s' };
/** ms */
export const shortTime: Quantity = { units: { ms: 1, s: 1000 }, least: 0, most: 1000, range: '0ms to 1s' };
/** bit/s */
export const rate: Quantity = {
  units: { kbit: 1e3, mbit: 1e6, gbit: 1e9 },
  least: 16e3,
  most: 1e9,
  range: '16kbit to 1gbit',
};
/** 0..0.5: what is lost, or late */
export const loss: Quantity = { units: { '%': 0.01 }, least: 0, most: 0.5, range: '0% to 50%' };
/** 0..1 */
export const share: Quantity = { units: { '%': 0.01 }, least: 0, most: 1, range: '0% to 100%' };
export const packets: Quantity = {
  units: { '': 1 },
  least: 1,
  most: 100_000,
  whole: true,
  range: '1 to 100000 packets',
};

/**
 * Reads a number and its unit.
 * @param part what the value stands in, for messages
 * @returns in the unit with factor 1
 * @throws TowlineError `bad-shape` that names the part, and what would be right
 */
export function readQuantity(
  value: string,
  { units, least, most, whole, range }: Quantity,
  part: string,
): number {
  const [, digits = '', unit = ''] = /^(\d+(?:\.\d+)?)([a-z%]*)$/.exec(value) ?? [];
  const factor = Object.hasOwn(units, unit) ? units[unit] : undefined;
  if (digits === '' || factor === undefined) {
    const wanted = Object.keys(units).filter((each) => each !== '');
    throw badQuantity(
      `"${part}" is not a number${wanted.length > 0 ? ` followed by ${wanted.join(' or ')}` : ''}`,
      range,
    );
  }
  const number = Number(digits) * factor;
  if (number < least || number > most || (whole === true && !Number.isInteger(number))) {
    throw badQuantity(`"${part}" is out of range`, range);
  }
  return number;
}

function badQuantity(message: string, range: string): TowlineError {
  return new TowlineError('bad-shape', 'arguments', `${message}.`, { remedy: `It goes from ${range}.` });
}

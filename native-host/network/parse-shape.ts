import type { Shape } from '../../shared/record/path.ts';
import { TowlineError } from '../../shared/errors/towline-error.ts';
import { networkProfiles } from './network-profiles.ts';

const unshaped: Shape = {
  rttMs: 0,
  downBitsPerSecond: null,
  upBitsPerSecond: null,
  lossDownRatio: 0,
  lossUpRatio: 0,
  queuePackets: 256,
};

/** A kind of figure: its units as factors, and the range it must lie in, in the unit with factor 1. */
interface Quantity {
  units: Readonly<Record<string, number>>;
  least: number;
  most: number;
  whole?: boolean;
  /** The range in words. */
  range: string;
}

const time: Quantity = { units: { ms: 1, s: 1000 }, least: 0, most: 10_000, range: '0ms to 10s' };
const rate: Quantity = {
  units: { kbit: 1e3, mbit: 1e6, gbit: 1e9 },
  least: 16e3,
  most: 1e9,
  range: '16kbit to 1gbit',
};
const loss: Quantity = { units: { '%': 0.01 }, least: 0, most: 0.5, range: '0% to 50%' };
const packets: Quantity = {
  units: { '': 1 },
  least: 1,
  most: 100_000,
  whole: true,
  range: '1 to 100000 packets',
};

const parts: Readonly<Record<string, { quantity: Quantity; set: (value: number) => Partial<Shape> }>> = {
  rtt: { quantity: time, set: (rttMs) => ({ rttMs }) },
  down: { quantity: rate, set: (downBitsPerSecond) => ({ downBitsPerSecond }) },
  up: { quantity: rate, set: (upBitsPerSecond) => ({ upBitsPerSecond }) },
  loss: { quantity: loss, set: (ratio) => ({ lossDownRatio: ratio, lossUpRatio: ratio }) },
  'loss-down': { quantity: loss, set: (lossDownRatio) => ({ lossDownRatio }) },
  'loss-up': { quantity: loss, set: (lossUpRatio) => ({ lossUpRatio }) },
  queue: { quantity: packets, set: (queuePackets) => ({ queuePackets }) },
};

const example = 'rtt=150ms,down=1mbit,up=1mbit,loss=0%,queue=256';

/**
 * Reads a network as it is written on the command line: `name=value` parts with commas between, a profile's name
 * in place of a part, or both (`3g,loss=1%`); later parts overrule earlier ones. What is not said is not limited,
 * not lost, not delayed, and queues 256 packets.
 * @throws TowlineError `bad-shape` that names the part, and what would be right
 */
export function parseShape(text: string): Shape {
  let shape = unshaped;
  for (const part of text.split(',').map((each) => each.trim().toLowerCase())) {
    shape = { ...shape, ...readPart(part) };
  }
  return shape;
}

function readPart(part: string): Partial<Shape> {
  const profile = networkProfiles.find(({ name }) => name === part);
  if (profile !== undefined) return profile.shape;
  const [name = '', value] = part.split(/=(.*)/s);
  const known = Object.hasOwn(parts, name) ? parts[name] : undefined;
  if (known === undefined || value === undefined) {
    const names = networkProfiles.map((each) => each.name).join(', ');
    throw badShape(
      `"${part}" is no part of a network`,
      `The parts are ${Object.keys(parts).join(', ')}, as in ${example}, or a profile: ${names}.`,
    );
  }
  return known.set(readValue(part, value, known.quantity));
}

function readValue(part: string, value: string, { units, least, most, whole, range }: Quantity): number {
  const [, digits = '', unit = ''] = /^(\d+(?:\.\d+)?)([a-z%]*)$/.exec(value) ?? [];
  const factor = Object.hasOwn(units, unit) ? units[unit] : undefined;
  if (digits === '' || factor === undefined) {
    const wanted = Object.keys(units).filter((each) => each !== '');
    throw badShape(
      `"${part}" is not a number${wanted.length > 0 ? ` followed by ${wanted.join(' or ')}` : ''}`,
      `It goes from ${range}.`,
    );
  }
  const number = Number(digits) * factor;
  if (number < least || number > most || (whole === true && !Number.isInteger(number))) {
    throw badShape(`"${part}" is out of range`, `It goes from ${range}.`);
  }
  return number;
}

function badShape(message: string, remedy: string): TowlineError {
  return new TowlineError('bad-shape', 'arguments', `${message}.`, { remedy });
}

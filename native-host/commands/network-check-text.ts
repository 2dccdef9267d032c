import type {
  BurstLoss,
  LossMeasurement,
  PathMeasurement,
  ReorderMeasurement,
  Shape,
  TcpMeasurement,
} from '../../shared/record/path.ts';
import { meanBurstPackets } from '../network/burst-loss.ts';
import { formatRate, formatShape } from '../network/format-shape.ts';
import { budgetMs, ProbeSchedule } from '../network/probe-schedule.ts';
import type { CheckedShape } from './network-check.ts';

const routers = { namespace: 'in a namespace', 'user-mode-linux': 'in a User-Mode Linux guest' } as const;

/** One line of the table: what it is, as asked, as measured by UDP, and by TCP where that was measured too. */
type Row = readonly [what: string, asked: string, udp: string, tcp: string];

/** A checked network for a person: asked beside measured, how it was measured, and whether it will do. */
export function describeCheckedShape({ asked, router, measured }: CheckedShape): string[] {
  const { probeBytes, durationMs, deviations, families } = measured;
  const kilobytes = (probeBytes / 1000).toFixed(0);
  const packets = families === undefined ? 'IPv4' : families.join(' and ');
  return [
    `Asked: ${formatShape(asked)}`,
    '',
    ...table([['', 'asked', 'by UDP', 'by TCP'], ...rows(asked, measured)]),
    '',
    `Measured with ${kilobytes} KB of ${packets} packets in ${(durationMs / 1000).toFixed(1)} s; shaped ${router === null ? 'nowhere' : routers[router]}.`,
    ...whyLong(asked),
    ...(measured.lossDown === null
      ? []
      : ['In brackets: where so many packets leave the true share of lost ones, at 95 % confidence.']),
    ...(deviations.length === 0
      ? ['The network is as asked.']
      : ['The network is NOT as asked:', ...deviations.map((deviation) => `  ${deviation}.`)]),
  ];
}

/** Where no machine could be done in the time that a check otherwise takes at most: what takes how long. */
function whyLong(asked: Shape): string[] {
  const { neededMs, roundTripsMs, ratesMs, lossesMs } = new ProbeSchedule(asked).timesMs;
  if (neededMs <= budgetMs) return [];
  const [all, ...parts] = [neededMs, roundTripsMs, ratesMs, lossesMs].map(
    (ms) => `${(ms / 1000).toFixed(1)} s`,
  );
  const [roundTrips = '', rates = '', losses = ''] = parts;
  return [
    `A path this slow and long needs ${all ?? ''} instead of ${budgetMs / 1000} s: ${roundTrips} for round trips, ${rates} for rates, ${losses} for losses.`,
  ];
}

function rows(asked: Shape, measured: PathMeasurement): Row[] {
  const { tcp, jitterMs, reorderDown, reorderUp, queue } = measured;
  const { burstLossDown, burstLossUp, reorderRatio, queuePackets } = asked;
  const byTcp = (say: (tcp: TcpMeasurement) => string) => (tcp === undefined ? '' : say(tcp));
  return [
    ['round trip', `${asked.rttMs} ms`, rtt(measured), byTcp(rtt)],
    ...optional(jitterMs, (found) => ['jitter each way', `${asked.jitterMs ?? 0} ms`, ms(found), '']),
    ['rate down', formatRate(asked.downBitsPerSecond), ...rates(asked.downBitsPerSecond, measured, 'down')],
    ['rate up', formatRate(asked.upBitsPerSecond), ...rates(asked.upBitsPerSecond, measured, 'up')],
    ['loss down', percent(asked.lossDownRatio), loss(measured.lossDown), byTcp((by) => loss(by.lossDown))],
    ...optional(burstLossDown, (model) => burstRow(model, measured.lossDown)),
    ['loss up', percent(asked.lossUpRatio), loss(measured.lossUp), byTcp((by) => loss(by.lossUp))],
    ...optional(burstLossUp, (model) => burstRow(model, measured.lossUp)),
    ...optional(reorderDown, (found) => ['late down', percent(reorderRatio ?? 0), late(found), '']),
    ...optional(reorderUp, (found) => ['late up', percent(reorderRatio ?? 0), late(found), '']),
    ...optional(queue, (found) => [
      'full queue',
      `${queuePackets} packets`,
      `RTT ${ms(found?.rttMs ?? null)}; ${found?.predictedRttMs.toFixed(0) ?? ''} ms expected`,
      '',
    ]),
  ];
}

/** No row for what was not asked for. */
function optional<T>(found: T | undefined, row: (found: T) => Row): Row[] {
  return found === undefined ? [] : [row(found)];
}

function rtt({ rttMs, rttSamples }: Pick<PathMeasurement, 'rttMs' | 'rttSamples'>): string {
  return rttMs === null ? 'no answer' : `${ms(rttMs)} (median of ${rttSamples})`;
}

function rates(
  asked: number | null,
  measured: PathMeasurement,
  way: 'down' | 'up',
): [udp: string, tcp: string] {
  if (asked === null) return ['', ''];
  const name = way === 'down' ? 'downBitsPerSecond' : 'upBitsPerSecond';
  const say = (rate: number | null) => (rate === null ? 'nothing arrived' : formatRate(rate));
  return [say(measured[name]), measured.tcp === undefined ? '' : say(measured.tcp[name])];
}

function loss(found: LossMeasurement | null): string {
  if (found === null) return 'unknown';
  const { lost, sent, ratio, interval } = found;
  return `${percent(ratio)} (${between(interval)}), ${lost} of ${sent}`;
}

function burstRow(model: BurstLoss, found: LossMeasurement | null): Row {
  const { lost = 0, bursts = 0 } = found ?? {};
  const expected = meanBurstPackets(model);
  const mean = bursts === 0 ? 'none seen' : `${(lost / bursts).toFixed(1)} packets, ${bursts} bursts`;
  return ['  its bursts', expected === null ? 'any length' : `${expected.toFixed(1)} packets`, mean, ''];
}

function late(found: ReorderMeasurement | null): string {
  if (found === null) return 'probes are too far apart to tell';
  return `${percent(found.ratio)} (${between(found.interval)})`;
}

function ms(value: number | null): string {
  return value === null ? 'unknown' : `${value.toFixed(1)} ms`;
}

function percent(ratio: number): string {
  return `${Number((ratio * 100).toFixed(2))} %`;
}

function between([low, high]: readonly [number, number]): string {
  return `${Number((low * 100).toFixed(2))} to ${percent(high)}`;
}

/** Columns as wide as their widest cell, two spaces apart. */
function table(lines: readonly Row[]): string[] {
  const widths = [0, 1, 2, 3].map((column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  return lines.map((cells) =>
    `  ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
  );
}

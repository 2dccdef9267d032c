import type { Shape } from '../../shared/record/path.ts';

/** `down` is towards the browser, `up` towards the servers. */
export type Direction = 'down' | 'up';

/** The router's interface that sends in each direction. Named alike in every kind of router. */
export const routerDevices: Readonly<Record<Direction, string>> = { down: 'to-browser', up: 'to-server' };

const ethernetHeaderBytes = 14;
const largestPacketBytes = 1500;

/** Packets the delay line can hold at least. netem's own default of 1,000 silently drops what a fast link needs. */
const delayLineMinimum = 10_000;
const delayLineUnlimited = 50_000;
/** For the delay line's length, no packet is taken to be smaller. */
const smallPacketBytes = 100;

/** A timer that fires late by so much must not cost rate: so long a time's worth of bytes may follow at once. */
const lateTimerMs = 4;

/**
 * The `tc` commands that shape one direction, on the router's interface that sends there. A packet meets, in this order:
 * loss and the delay line (netem, half of the round-trip time in each direction, give or take the jitter), the line
 * that makes some late (netem again), then the bottleneck (HTB at the asked rate, counting IP bytes) with a tail-drop
 * queue of the asked length in packets (pfifo). All of it sits behind the sender's own stack, so that TCP learns of a
 * loss as on a real path.
 *
 * @param tables directory where the router finds {@link lateTable} as `late.dist`
 */
export function shapeCommands(shape: Shape, direction: Direction, tables: string): string[][] {
  const device = routerDevices[direction];
  const rate = rateOf(shape, direction);
  const commands = [delayLine(shape, direction)];
  let parent = '1:1';
  if (shape.reorderRatio !== undefined) {
    commands.push([
      // netem's own "reorder" would pass what overtakes by the bottleneck: it hands it straight to the device.
      ...[
        'env',
        `TC_LIB_DIR=${tables}`,
        'tc',
        'qdisc',
        'add',
        'dev',
        device,
        'parent',
        parent,
        'handle',
        '4:',
      ],
      // A distribution wants a delay to vary; a microsecond is none.
      ...[
        'netem',
        ...limitWords(shape, direction),
        'delay',
        '1us',
        microseconds((shape.reorderDelayMs ?? 0) / largestDeviation),
      ],
      ...['distribution', 'late'],
    ]);
    parent = '4:1';
  }
  if (rate === null) return commands;

  const bytes = String(burstBytes(rate));
  return [
    ...commands,
    ['tc', 'qdisc', 'add', 'dev', device, 'parent', parent, 'handle', '2:', 'htb', 'default', '1'],
    [
      ...['tc', 'class', 'add', 'dev', device, 'parent', '2:', 'classid', '2:1', 'htb'],
      ...['rate', `${Math.round(rate)}bit`, 'ceil', `${Math.round(rate)}bit`],
      // The quantum only matters between classes, of which there is one; left out, HTB derives one and warns.
      ...['burst', bytes, 'cburst', bytes, 'quantum', String(largestPacketBytes)],
    ],
    [
      ...['tc', 'qdisc', 'add', 'dev', device, 'parent', '2:1', 'handle', '3:'],
      ...['pfifo', 'limit', String(shape.queuePackets)],
    ],
  ];
}

/** The first of {@link shapeCommands}. On a delay line that is there already it changes delay and loss in place. */
export function delayLine(shape: Shape, direction: Direction): string[] {
  return [
    ...['tc', 'qdisc', 'replace', 'dev', routerDevices[direction], 'root', 'handle', '1:'],
    // HTB would count the Ethernet header; the asked rate is one of IP bytes. Only the root's table is heeded.
    ...['stab', 'overhead', String(-ethernetHeaderBytes), 'netem', ...limitWords(shape, direction)],
    ...delayWords(shape.rttMs / 2, shape.jitterMs ?? 0),
    ...lossWords(shape, direction),
  ];
}

function rateOf(shape: Shape, direction: Direction): number | null {
  return direction === 'down' ? shape.downBitsPerSecond : shape.upBitsPerSecond;
}

function limitWords(shape: Shape, direction: Direction): string[] {
  return ['limit', String(delayLinePackets(rateOf(shape, direction), shape.rttMs / 2, shape.queuePackets))];
}

/** netem draws from a table of deviations: 16-bit numbers, 8192 to the "standard deviation" it is told (tc-netem(8)). */
const largestTableValue = 32_767;
const largestDeviation = largestTableValue / 8192;
const tableLength = 10_000;

/** The table of a delay that is nothing for most packets, and as long as it gets for the share that is to be late. */
export function lateTable(lateRatio: number): string {
  const late = Math.round(lateRatio * tableLength);
  const values = Array.from({ length: tableLength }, (_, index) => (index < late ? largestTableValue : 0));
  return `${values.join('\n')}\n`;
}

/**
 * netem lets packets with a short delay overtake those with a long one, unless it has a rate: then each packet waits
 * for the one before it. The rate is one that takes no time.
 */
function delayWords(oneWayMs: number, jitterMs: number): string[] {
  if (jitterMs > 0) return ['delay', microseconds(oneWayMs), microseconds(jitterMs), 'rate', '100gbit'];
  return oneWayMs > 0 ? ['delay', microseconds(oneWayMs)] : [];
}

function lossWords(shape: Shape, direction: Direction): string[] {
  const model = direction === 'down' ? shape.burstLossDown : shape.burstLossUp;
  if (model !== undefined) {
    const { toBadRatio, toGoodRatio, lossInBadRatio, lossInGoodRatio } = model;
    return ['loss', 'gemodel', ...[toBadRatio, toGoodRatio, lossInBadRatio, lossInGoodRatio].map(percent)];
  }
  const loss = direction === 'down' ? shape.lossDownRatio : shape.lossUpRatio;
  return loss > 0 ? ['loss', 'random', percent(loss)] : [];
}

function percent(ratio: number): string {
  return `${Number((ratio * 100).toFixed(6))}%`;
}

function microseconds(ms: number): string {
  return `${Math.round(ms * 1000)}us`;
}

/** What the bottleneck may send at once after a pause, bytes: one packet, more only at rates above 3 Mbit/s. */
export function burstBytes(rateBitsPerSecond: number): number {
  return Math.max(largestPacketBytes, Math.round((rateBitsPerSecond / 8) * (lateTimerMs / 1000)));
}

/** Four times what the path can hold in flight, the queue behind it included. */
function delayLinePackets(rate: number | null, oneWayMs: number, queuePackets: number): number {
  if (rate === null) return delayLineUnlimited;
  const inFlight = (rate * oneWayMs) / 1000 / 8 / smallPacketBytes;
  return Math.max(delayLineMinimum, Math.ceil(4 * (inFlight + queuePackets)));
}

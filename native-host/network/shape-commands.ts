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
 * random loss and the delay line (netem, half of the round-trip time in each direction), then the bottleneck
 * (HTB at the asked rate, counting IP bytes) with a tail-drop queue of the asked length in packets (pfifo).
 * All of it sits behind the sender's own stack, so that TCP learns of a loss as on a real path.
 */
export function shapeCommands(shape: Shape, direction: Direction): string[][] {
  const device = routerDevices[direction];
  const rate = direction === 'down' ? shape.downBitsPerSecond : shape.upBitsPerSecond;
  const loss = direction === 'down' ? shape.lossDownRatio : shape.lossUpRatio;
  const oneWayMs = shape.rttMs / 2;
  const delayLine = [
    ...['tc', 'qdisc', 'replace', 'dev', device, 'root', 'handle', '1:'],
    // HTB would count the Ethernet header; the asked rate is one of IP bytes. Only the root's table is heeded.
    ...['stab', 'overhead', String(-ethernetHeaderBytes), 'netem'],
    ...['limit', String(delayLinePackets(rate, oneWayMs, shape.queuePackets))],
    ...(oneWayMs > 0 ? ['delay', `${Math.round(oneWayMs * 1000)}us`] : []),
    ...(loss > 0 ? ['loss', 'random', `${Number((loss * 100).toFixed(6))}%`] : []),
  ];
  if (rate === null) return [delayLine];

  const bytes = String(burstBytes(rate));
  return [
    delayLine,
    ['tc', 'qdisc', 'add', 'dev', device, 'parent', '1:1', 'handle', '2:', 'htb', 'default', '1'],
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

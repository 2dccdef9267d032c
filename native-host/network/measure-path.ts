import type { PathMeasurement, Shape } from '../../shared/record/path.ts';
import { isIPv6 } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { judgeLoss, judgePath, judgeRate, judgeReorder } from './judge-path.ts';
import { jitterOf } from './jitter.ts';
import { ProbedPath } from './probed-path.ts';
import { median } from './judge-arrivals.ts';
import { pingPlan, type Transport } from './probe-plan.ts';
import { ProbeProcess, type ProbePlace } from './probe-process.ts';
import type { Direction } from './shape-commands.ts';

const transports = ['udp', 'tcp'] as const;

/** A reading is taken again only where it will be over by then, ms: people wait for a measurement. */
const longestMs = 10_000;

/**
 * Measures a path between two places, by UDP and by TCP, with packets of both families in turn where both places have
 * both: round-trip time as the median of 20 small datagrams and of 20 handshakes, then each limited rate, by trains
 * that fill the queue, then what is lost, by trains that leave it empty. Takes 5 to 13 s.
 *
 * A loss outside its own 95 % interval is bound to be seen once in twenty on a path that is right, and one stray
 * packet is two per cent of a slow path's rate: such a reading is taken again, and the second one stands.
 *
 * @param asked null on a path that is not shaped: then only the round-trip time is measured, and nothing is judged
 * @param options `queue`: also the round-trip time while the queue is full, which takes as long as the queue is;
 *   `afterLoads`: the far place's servers have been used, and what they still send to browsers that are gone would
 *   count as lost: loss is measured by UDP alone
 */
export async function measurePath(
  near: ProbePlace,
  far: ProbePlace,
  asked: Shape | null,
  { queue = false, afterLoads = false }: { queue?: boolean; afterLoads?: boolean } = {},
): Promise<PathMeasurement> {
  const start = performance.now();
  const ends: ProbeProcess[] = [];
  try {
    for (const place of [near, far]) ends.push(await ProbeProcess.start(place));
    const [nearEnd, farEnd] = ends as [ProbeProcess, ProbeProcess];
    const path = new ProbedPath(nearEnd, farEnd, asked);
    const mayRepeat = (tookMs: number) => performance.now() - start + tookMs < longestMs;
    const measured = await measureAll(path, asked, mayRepeat, afterLoads ? ['udp'] : transports);
    const whole = {
      ...measured,
      ...(queue && { queue: await path.queue() }),
      families: near.addresses.map((address) => (isIPv6(address) ? ('IPv6' as const) : ('IPv4' as const))),
      probeBytes: path.probeBytes,
      durationMs: Math.round(performance.now() - start),
    };
    return { ...whole, deviations: asked === null ? [] : judgePath(asked, whole) };
  } finally {
    for (const end of ends) end.close();
  }
}

/** What {@link ProbedPath.losses} takes at least, ms, and in round-trip times on top. */
const lossesBaseMs = 2000;
const lossesRoundTrips = 2;

/** Whether there is time for what took so long, ms, to be done once more. */
type MayRepeat = (tookMs: number) => boolean;

type Found = Omit<PathMeasurement, 'families' | 'probeBytes' | 'durationMs' | 'deviations'>;

async function measureAll(
  path: ProbedPath,
  asked: Shape | null,
  mayRepeat: MayRepeat,
  lossBy: readonly Transport[],
): Promise<Found> {
  const plan = pingPlan(asked?.jitterMs ?? 0);
  const { udpMs, tcpMs } = await measureRoundTrips(path, plan, asked?.jitterMs !== undefined);
  const udpRtt = { rttMs: median(udpMs), rttSamples: udpMs.length };
  const tcpRtt = { rttMs: median(tcpMs), rttSamples: tcpMs.length };
  if (asked === null) return { ...udpRtt, ...nothing, tcp: { ...tcpRtt, ...nothing } };

  const lossesMs = lossesBaseMs + lossesRoundTrips * asked.rttMs;
  const inTime = (tookMs: number) => mayRepeat(tookMs + lossesMs);
  const rates = {
    udp: await measureRates(path, 'udp', asked, inTime),
    tcp: await measureRates(path, 'tcp', asked, inTime),
  };
  const losses = await measureLosses(path, asked, mayRepeat, lossBy);
  const by = (transport: Transport) => ({
    downBitsPerSecond: rates[transport].down,
    upBitsPerSecond: rates[transport].up,
    lossDown: lossBy.includes(transport) ? losses[transport].down.loss : null,
    lossUp: lossBy.includes(transport) ? losses[transport].up.loss : null,
  });
  return {
    ...udpRtt,
    ...by('udp'),
    tcp: { ...tcpRtt, ...by('tcp') },
    ...(asked.jitterMs !== undefined && { jitterMs: jitterOf(asked, udpMs) }),
    ...(asked.reorderRatio !== undefined && {
      reorderDown: losses.udp.down.reorder,
      reorderUp: losses.udp.up.reorder,
    }),
  };
}

/** By both at once, but where the order of packets is kept at the cost of time: there one would hold up the other. */
async function measureRoundTrips(
  path: ProbedPath,
  plan: ReturnType<typeof pingPlan>,
  apart: boolean,
): Promise<{ udpMs: number[]; tcpMs: number[] }> {
  const udp = path.roundTrips('ping', plan);
  if (apart) await udp;
  // Half an interval later, so that neither waits for the other's processing.
  else await sleep(plan.intervalMs / 2);
  const tcp = path.roundTrips('handshake', plan);
  const [udpMs, tcpMs] = await Promise.all([udp, tcp]);
  return { udpMs, tcpMs };
}

const nothing = { downBitsPerSecond: null, upBitsPerSecond: null, lossDown: null, lossUp: null };

async function measureLosses(
  path: ProbedPath,
  asked: Shape,
  mayRepeat: MayRepeat,
  lossBy: readonly Transport[],
): ReturnType<ProbedPath['losses']> {
  const start = performance.now();
  const first = await path.losses();
  const tookMs = performance.now() - start;
  const asAsked = (by: Transport, direction: Direction) =>
    judgeLoss(by, direction, asked, first[by][direction].loss).length === 0 &&
    judgeReorder(direction, asked, first[by][direction].reorder).length === 0;
  const allAsAsked = lossBy.every((by) => asAsked(by, 'down') && asAsked(by, 'up'));
  if (allAsAsked || !mayRepeat(tookMs)) return first;
  const second = await path.losses();
  const stands = (by: Transport) => ({
    down: asAsked(by, 'down') ? first[by].down : second[by].down,
    up: asAsked(by, 'up') ? first[by].up : second[by].up,
  });
  return { udp: stands('udp'), tcp: stands('tcp') };
}

async function measureRates(
  path: ProbedPath,
  by: Transport,
  asked: Shape,
  mayRepeat: MayRepeat,
): Promise<Record<Direction, number | null>> {
  const start = performance.now();
  const first = await path.rates(by);
  const tookMs = performance.now() - start;
  const asAsked = (direction: Direction) => judgeRate(by, direction, asked, first[direction]).length === 0;
  if ((asAsked('down') && asAsked('up')) || !mayRepeat(tookMs)) return first;
  const second = await path.rates(by);
  return {
    down: asAsked('down') ? first.down : second.down,
    up: asAsked('up') ? first.up : second.up,
  };
}

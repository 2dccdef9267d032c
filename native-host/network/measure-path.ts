import { isIPv6 } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PathMeasurement, Shape } from '../../shared/record/path.ts';
import { isDoubtful, judgeLosses } from './judge-loss.ts';
import { judgePath, judgeRate } from './judge-path.ts';
import { measurementOf, missingReadings, type Rates, type Readings } from './path-readings.ts';
import { withProbePair } from './probe-pair.ts';
import type { Transport } from './probe-plan.ts';
import type { ProbePlace } from './probe-process.ts';
import { directions, transports } from './probe-schedule.ts';
import { ProbedPath } from './probed-path.ts';

/** Left free where a reading is taken again, ms: lost packets make what comes later take longer than reckoned. */
const spareMs = 400;

/**
 * Measures a path between two places, by UDP and by TCP, with packets of both families in turn where both places have
 * both: round-trip time as the median of 20 small datagrams and of 20 handshakes; each limited rate, by trains that
 * fill the queue; between UDP's and TCP's what is lost, by trains that leave it empty. Over within {@link ProbeSchedule.limitMs}.
 *
 * What is outside the limits is taken again where there is time for that and for all that is still to come. Of a rate the second
 * reading stands, since one stray packet is a per cent of a slow path's; of a loss see {@link judgeLosses}.
 *
 * @param asked null on a path that is not shaped: then only the round-trip time is measured, and nothing is judged
 * @param options `queue`: also the round-trip time while the queue is full, which takes as long as the queue is, on
 *   top of that limit; `afterLoads`: the far place's servers have been used, and what they still send to browsers
 *   that are gone would count as lost: loss is measured by UDP alone
 */
export async function measurePath(
  near: ProbePlace,
  far: ProbePlace,
  asked: Shape | null,
  { queue = false, afterLoads = false }: { queue?: boolean; afterLoads?: boolean } = {},
): Promise<PathMeasurement> {
  const start = performance.now();
  const elapsedMs = () => performance.now() - start;
  return withProbePair(near, far, async (nearEnd, farEnd) => {
    const path = new ProbedPath(nearEnd, farEnd, asked);
    const { limitMs } = path.schedule;
    const readings: Readings = { roundTrips: null, rates: {}, lossTakings: [] };
    const lossBy = afterLoads ? (['udp'] as const) : transports;
    const hasTimeFor = (ms: number) => elapsedMs() + ms + spareMs < limitMs;
    const steps = takeReadings(path, asked, readings, lossBy, hasTimeFor);
    await Promise.race([steps, sleep(limitMs - elapsedMs(), null, { ref: false })]);
    // What goes on after its time ends with the agents.
    steps.catch(() => undefined);

    const limited = asked !== null && directions.some((direction) => path.schedule.rate(direction) !== null);
    const missing =
      asked === null ? [] : missingReadings(readings, { rates: limited ? transports : [], losses: lossBy });
    const found = measurementOf(asked, readings);
    const whole = {
      ...found,
      ...(queue && { queue: missing.length === 0 ? await path.queue() : null }),
      families: near.addresses.map((address) => (isIPv6(address) ? ('IPv6' as const) : ('IPv4' as const))),
      probeBytes: path.probeBytes,
      durationMs: Math.round(elapsedMs()),
    };
    await path.close();
    const deviations =
      missing.length > 0
        ? [stopped(limitMs, missing)]
        : asked === null
          ? []
          : [...judgePath(asked, whole), ...judgeLosses(asked, readings.lossTakings)];
    return { ...whole, deviations };
  });
}

function stopped(limitMs: number, missing: readonly string[]): string {
  return `The measurement was stopped after ${(limitMs / 1000).toFixed(1)} s, before ${missing.join(', ')}: packets took longer than asked, or this machine had too much else to do`;
}

/** Takes one reading after the other, and one again only where that leaves time for the others. */
async function takeReadings(
  path: ProbedPath,
  asked: Shape | null,
  readings: Readings,
  lossBy: readonly Transport[],
  hasTimeFor: (ms: number) => boolean,
): Promise<void> {
  readings.roundTrips = await measureRoundTrips(path, asked !== null);
  if (asked === null) return;
  const { schedule } = path;
  const rateOff = (by: Transport, found: Rates) =>
    directions.filter((direction) => judgeRate(by, direction, asked, found[direction]).length > 0);
  const takeRates = async (by: Transport, laterMs: number) => {
    const first = (readings.rates[by] = await path.rates(by));
    const off = rateOff(by, first);
    if (off.length === 0 || !hasTimeFor(schedule.ratesAgainMs(by) + laterMs)) return;
    const second = await path.rates(by);
    readings.rates[by] = { ...first, ...pick(second, off) };
  };

  // Meanwhile what the handshakes have lost is sent again, a second later: it would keep the path from falling quiet.
  await takeRates('udp', schedule.lossesMs(lossBy) + schedule.ratesMs('tcp'));
  const losses = await path.losses(lossBy);
  readings.lossTakings = [losses];
  if (isDoubtful(asked, losses) && hasTimeFor(schedule.lossesAgainMs(lossBy) + schedule.ratesMs('tcp'))) {
    readings.lossTakings = [losses, await path.losses(lossBy)];
  }
  await takeRates('tcp', 0);
}

function pick<T extends object>(from: T, names: readonly (keyof T)[]): Partial<T> {
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Partial<T>;
}

/**
 * By both at once, but where the order of packets is kept at the cost of time: there one would hold up the other. Once the last
 * has left, the connections of the trains are opened: they disturb the last answers at most, which a median does not see.
 */
async function measureRoundTrips(
  path: ProbedPath,
  thenConnect: boolean,
): Promise<Record<Transport, number[]>> {
  const { pings, inOrder } = path.schedule;
  const { count, intervalMs } = pings;
  const later = <T>(intervals: number, act: () => Promise<T>) => sleep(intervals * intervalMs).then(act);
  const [udp, tcp] = await Promise.all([
    path.roundTrips('ping', pings),
    // Half an interval later, so that neither waits for the other's processing.
    later(inOrder ? count : 0.5, () => path.roundTrips('handshake', pings)),
    thenConnect && !inOrder ? later(count, () => path.openConnections()) : null,
  ]);
  if (thenConnect && inOrder) await path.openConnections();
  return { udp, tcp };
}

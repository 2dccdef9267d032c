import type { LossMeasurement, PathMeasurement, Shape } from '../../shared/record/path.ts';
import { judgePath, lossIsAsAsked, rateIsAsAsked } from './judge-path.ts';
import {
  headerBytes,
  lossOf,
  lossTrain,
  median,
  rateOfArrivals,
  rateTrain,
  type TrainPlan,
} from './probe-plan.ts';
import { ProbeProcess } from './probe-process.ts';

/** Where an agent runs, and on which address. */
export interface ProbePlace {
  enter: readonly string[];
  address: string;
}

const pings = 20;
const pingIntervalMs = 15;
/** A ping's payload, as probe-agent.ts sends it. */
const pingBytes = headerBytes + 9;
/** How long after the expected arrival nothing more is waited for, ms. */
const patienceMs = 400;

/**
 * Measures a path by UDP between two places: round-trip time as the median of 20 small datagrams, then loss where
 * some was asked for, then each limited rate. Takes the round-trip time, plus 2 s for loss and about 1.7 s a rate.
 *
 * A loss outside its own 95 % interval is bound to be seen once in twenty on a path that is right, and one stray
 * packet is two per cent of a slow path's rate: such a reading is taken again, and the second one stands.
 *
 * @param asked null on a path that is not shaped: then only the round-trip time is measured, and nothing is judged
 */
export async function measurePath(
  near: ProbePlace,
  far: ProbePlace,
  asked: Shape | null,
): Promise<PathMeasurement> {
  const start = performance.now();
  const ends: ProbeProcess[] = [];
  try {
    for (const { enter, address } of [near, far]) ends.push(await ProbeProcess.start(enter, address));
    const [nearEnd, farEnd] = ends as [ProbeProcess, ProbeProcess];
    const path = new ProbedPath(nearEnd, farEnd, asked?.rttMs ?? 0);
    const { rttMs, samples } = await path.rtt();
    const [lossDown, lossUp] =
      asked === null
        ? [null, null]
        : await Promise.all([
            path.loss('down', asked.lossDownRatio, asked.downBitsPerSecond),
            path.loss('up', asked.lossUpRatio, asked.upBitsPerSecond),
          ]);
    const downBitsPerSecond = asked && (await path.rate('down', asked));
    const upBitsPerSecond = asked && (await path.rate('up', asked));
    const measured = {
      rttMs,
      rttSamples: samples,
      downBitsPerSecond,
      upBitsPerSecond,
      lossDown,
      lossUp,
      probeBytes: path.probeBytes,
      durationMs: Math.round(performance.now() - start),
    };
    return { ...measured, deviations: asked === null ? [] : judgePath(asked, measured) };
  } finally {
    for (const end of ends) end.close();
  }
}

type Direction = 'down' | 'up';

/** Two agents with a path between them. */
class ProbedPath {
  probeBytes = 0;
  readonly #near: ProbeProcess;
  readonly #far: ProbeProcess;
  readonly #idleMs: number;
  #trains = 0;

  constructor(near: ProbeProcess, far: ProbeProcess, rttMs: number) {
    this.#near = near;
    this.#far = far;
    this.#idleMs = rttMs + patienceMs;
  }

  async rtt(): Promise<{ rttMs: number | null; samples: number }> {
    this.probeBytes += 2 * pings * pingBytes;
    const rttsMs = await this.#near.perform({
      do: 'ping',
      to: this.#far.address,
      count: pings,
      intervalMs: pingIntervalMs,
      timeoutMs: this.#idleMs,
    });
    return { rttMs: median(rttsMs), samples: rttsMs.length };
  }

  async loss(direction: Direction, asked: number, rate: number | null): Promise<LossMeasurement | null> {
    if (asked === 0) return null;
    const plan = lossTrain(rate);
    const first = lossOf(plan.packets, (await this.#send(direction, plan)).length);
    if (lossIsAsAsked(asked, first)) return first;
    return lossOf(plan.packets, (await this.#send(direction, plan)).length);
  }

  async rate(direction: Direction, asked: Shape): Promise<number | null> {
    const rate = direction === 'down' ? asked.downBitsPerSecond : asked.upBitsPerSecond;
    if (rate === null) return null;
    const loss = direction === 'down' ? asked.lossDownRatio : asked.lossUpRatio;
    const plan = rateTrain(rate, loss, asked.queuePackets);
    const first = rateOfArrivals(await this.#send(direction, plan), plan);
    if (first !== null && rateIsAsAsked(rate, first)) return first;
    return rateOfArrivals(await this.#send(direction, plan), plan);
  }

  /** @returns when each packet that arrived did so, ms */
  async #send(direction: Direction, plan: TrainPlan): Promise<number[]> {
    const [from, to] = direction === 'up' ? [this.#near, this.#far] : [this.#far, this.#near];
    const train = ++this.#trains;
    this.probeBytes += plan.packets * plan.packetBytes;
    await from.perform({ do: 'send', to: to.address, train, ...plan });
    return to.perform({ do: 'collect', train, packets: plan.packets, idleMs: this.#idleMs });
  }
}

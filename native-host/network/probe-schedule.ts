import type { Shape } from '../../shared/record/path.ts';
import {
  connectionsFor,
  handshakePlan,
  lossTrain,
  pingPlan,
  rateTrain,
  type TrainPlan,
  type Transport,
} from './probe-plan.ts';
import type { Direction } from './shape-commands.ts';

export type Trains = Readonly<Record<Direction, TrainPlan | null>>;

export const directions = ['down', 'up'] as const;
export const transports = ['udp', 'tcp'] as const;

/** Above so much, both directions together, a small machine has more to do for both at once than at 20 Mbit/s for one. */
const bothAtOnceBitsPerSecond = 20e6;
/** What has not changed for so long does not change any more, ms. */
export const settledMs = 100;
/** How long after the expected arrival nothing more is waited for, ms. */
export const patienceMs = 300;
/** Between two looks at whether anything is still under way, ms. */
export const lookMs = 20;
/** People wait for a measurement, so it takes no longer than this, ms, where {@link ProbeSchedule.timesMs} allow. */
export const budgetMs = 10_000;
/** So much earlier than expected a packet is looked for, ms. */
const earlyMs = 20;
const leastDataShare = 0.75;
/** Of the rate. */
const resetShare = 0.5;
const resetBytes = 60;
const fastestPerSecond = 20_000;
/** To start both agents, ms. */
const startMs = 300;

/** What is sent over a path to measure it, and how long that takes. Pure: {@link ProbedPath} does it. */
export class ProbeSchedule {
  /** The longest that a packet and its answer take while nothing queues, ms. */
  readonly rttMs: number;
  readonly pings: ReturnType<typeof pingPlan>;
  readonly asked: Shape | null;

  /** @param asked null on a path that is not shaped */
  constructor(asked: Shape | null) {
    this.asked = asked;
    this.rttMs = (asked?.rttMs ?? 0) + 2 * (asked?.jitterMs ?? 0) + 2 * (asked?.reorderDelayMs ?? 0);
    this.pings = pingPlan(asked?.jitterMs ?? 0, this.#slowerRate);
  }

  /** Bit/s; null where it is not limited. */
  rate(direction: Direction): number | null {
    return this.asked?.[direction === 'down' ? 'downBitsPerSecond' : 'upBitsPerSecond'] ?? null;
  }

  loss(direction: Direction): number {
    return this.asked?.[direction === 'down' ? 'lossDownRatio' : 'lossUpRatio'] ?? 0;
  }

  /** Of a round trip's two packets, or more. */
  get lossBothWays(): number {
    return 1 - (1 - this.loss('down')) * (1 - this.loss('up'));
  }

  /** When the first of a train that leaves now can arrive, ms. */
  get earliestMs(): number {
    return Math.max(0, (this.asked?.rttMs ?? 0) / 2 - (this.asked?.jitterMs ?? 0) - earlyMs);
  }

  get bursty(): boolean {
    return this.asked?.burstLossDown !== undefined || this.asked?.burstLossUp !== undefined;
  }

  /** Whether a packet waits for the one before it: then one kind of probe would hold up the other. */
  get inOrder(): boolean {
    return this.asked?.jitterMs !== undefined;
  }

  /** Whether rates are measured one direction after the other. */
  get oneByOne(): boolean {
    return (this.rate('down') ?? 0) + (this.rate('up') ?? 0) > bothAtOnceBitsPerSecond;
  }

  /** Null for a direction that is not limited. */
  rateTrains(by: Transport): Trains {
    const train = (direction: Direction) => {
      const rate = this.rate(direction);
      return rate === null ? null : rateTrain(rate, this.loss(direction), this.asked?.queuePackets ?? 1, by);
    };
    const [down, up] = [train('down'), train('up')];
    if (by === 'udp' || this.oneByOne) return { down, up };
    return { down: besideAcknowledgements(down, up), up: besideAcknowledgements(up, down) };
  }

  lossTrains(by: Transport): Record<Direction, TrainPlan> {
    const train = (direction: Direction) => lossTrain(this.rate(direction), this.loss(direction), by);
    return { down: train('down'), up: train('up') };
  }

  /** How many connections one direction's trains take. */
  connections(direction: Direction, trains: readonly Trains[]): number {
    const plans = trains.map((plan) => plan[direction]).filter((plan) => plan !== null);
    return plans.reduce((sum, plan) => sum + connectionsFor(plan), 0);
  }

  /** How so many are opened. A handshake crosses both ways, so the slower one counts. */
  handshakes(connections: number): ReturnType<typeof handshakePlan> {
    return handshakePlan(connections, this.#slowerRate, this.lossBothWays);
  }

  /** Resets at which a queue stays empty. Those of a whole train at once would not all fit into a short one. */
  get resetsPerSecond(): number {
    return Math.min(fastestPerSecond, ((this.#slowerRate ?? Infinity) * resetShare) / (8 * resetBytes));
  }

  /** Of both directions; null where neither is limited. */
  get #slowerRate(): number | null {
    const rates = directions.map((each) => this.rate(each)).filter((rate) => rate !== null);
    return rates.length === 0 ? null : Math.min(...rates);
  }

  /** What {@link measurePath} takes when every reading is taken once on a machine that keeps up, ms. */
  get timesMs(): Readonly<Record<'neededMs' | 'roundTripsMs' | 'ratesMs' | 'lossesMs', number>> {
    const roundTripsMs = startMs + this.roundTripsMs;
    const ratesMs = this.ratesMs('udp') + this.ratesMs('tcp');
    const lossesMs = this.asked === null ? 0 : this.lossesMs(transports);
    return { neededMs: roundTripsMs + ratesMs + lossesMs, roundTripsMs, ratesMs, lossesMs };
  }

  /** When it is over at the latest, ms: 10 s, but where a path is so slow and long that it needs more. */
  get limitMs(): number {
    const { neededMs } = this.timesMs;
    return neededMs <= budgetMs ? budgetMs : 1.25 * neededMs;
  }

  /** With the connections that are opened for later meanwhile. */
  get roundTripsMs(): number {
    const { count, intervalMs } = this.pings;
    const answeredMs = this.rttMs + settledMs;
    const leftMs = count * intervalMs;
    if (this.asked === null) return leftMs + answeredMs;
    const apartMs = this.inOrder ? leftMs + answeredMs : 0;
    const loss = this.lossTrains('tcp');
    return leftMs + apartMs + this.#openMs([this.rateTrains('tcp'), loss, loss]);
  }

  /** To open the connections of these trains. */
  #openMs(trains: readonly Trains[]): number {
    const opened = directions.map((direction) => {
      const connections = this.connections(direction, trains);
      const { spare, perSecond } = this.handshakes(connections);
      return (1000 * (connections + spare)) / perSecond;
    });
    return Math.max(...opened) + this.rttMs + settledMs;
  }

  ratesMs(by: Transport): number {
    const trains = this.rateTrains(by);
    const [down, up] = [sendingMs(trains.down), sendingMs(trains.up)];
    const longest = Math.max(down, up);
    if (longest === 0) return 0;
    // What the queue still holds when the last is sent drains in a quarter of the time it took.
    const arriveMs = this.rttMs / 2 + settledMs + longest / 4;
    if (!this.oneByOne) return longest + arriveMs;
    return down + up + arriveMs;
  }

  /** A second time: TCP has to fall quiet, and to open connections anew. */
  ratesAgainMs(by: Transport): number {
    const tcpMs = this.#quietMs + this.#drainMs + this.#openMs([this.rateTrains('tcp')]);
    return this.ratesMs(by) + (by === 'tcp' ? tcpMs : 0);
  }

  /** After TCP connections were dropped: what was under way is answered once more. */
  get #quietMs(): number {
    return 1.5 * this.rttMs + settledMs + 2 * lookMs;
  }

  /** Until what a TCP rate train has left in the queue, and the answers to it, have passed. */
  get #drainMs(): number {
    const { down, up } = this.rateTrains('tcp');
    return Math.max(sendingMs(down), sendingMs(up)) / 2;
  }

  /** @param by those that are measured */
  lossesMs(by: readonly Transport[]): number {
    // What the handshakes have left under way first has to come.
    const beforeMs = by.includes('tcp') ? this.rttMs + settledMs + 2 * lookMs : 0;
    return beforeMs + this.lossesAgainMs(by);
  }

  /** A second time, at once: all is quiet, and the connections are open. */
  lossesAgainMs(by: readonly Transport[]): number {
    const longest = (each: Transport) => {
      const { down, up } = this.lossTrains(each);
      return Math.max(sendingMs(down), sendingMs(up));
    };
    const udpMs = by.includes('udp') ? longest('udp') + this.rttMs / 2 + patienceMs : 0;
    const tcpMs = by.includes('tcp') ? longest('tcp') + this.#quietMs : 0;
    const udpFirstMs = this.bursty && by.includes('udp') ? longest('udp') : 0;
    return Math.max(udpMs, udpFirstMs + tcpMs);
  }
}

/** Of one segment in two: a receiver sends no fewer (RFC 9293, section 3.8.6.3), bytes. */
const acknowledgementBytes = 52 / 2;

/**
 * The train, without what the acknowledgements of the other direction's train bring to the same bottleneck; but never so slow
 * that they would have to be many. On top of the whole train those of small segments would stand in the queue for a second.
 */
function besideAcknowledgements(train: TrainPlan | null, other: TrainPlan | null): TrainPlan | null {
  if (train === null || other === null) return train;
  const { packets, head, packetBytes, packetsPerSecond } = train;
  const share = (other.packetsPerSecond * acknowledgementBytes) / (packetsPerSecond * packetBytes);
  const factor = Math.max(leastDataShare, 1 - share);
  return {
    ...{ head, packetBytes, packetsPerSecond: packetsPerSecond * factor },
    packets: head + Math.ceil((packets - head) * factor),
  };
}

function sendingMs(plan: TrainPlan | null): number {
  return plan === null ? 0 : (1000 * (plan.packets - plan.head)) / plan.packetsPerSecond;
}

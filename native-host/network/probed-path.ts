import type {
  LossMeasurement,
  QueueMeasurement,
  ReorderMeasurement,
  Shape,
} from '../../shared/record/path.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { lossVarianceFactor } from './burst-loss.ts';
import {
  lossOf,
  lossOfTrain,
  median,
  rateOfArrivals,
  rateOfReceived,
  reorderOf,
  type Arrival,
} from './judge-arrivals.ts';
import {
  connectionsFor,
  handshakePlan,
  lossTrain,
  queuePlan,
  rateTrain,
  type TrainPlan,
  type Transport,
} from './probe-plan.ts';
import type { ProbeProcess } from './probe-process.ts';
import type { PingPlan } from './probe-protocol.ts';
import type { Direction } from './shape-commands.ts';

export interface LossReading {
  loss: LossMeasurement;
  /** Null where none was asked for, and where packets were too far apart for a late one to be overtaken. */
  reorder: ReorderMeasurement | null;
}

type Trains = Readonly<Record<Direction, TrainPlan | null>>;

const directions = ['down', 'up'] as const;
/** Above so much, both directions together ask more of a small machine than either. */
const bothAtOnceBitsPerSecond = 10e6;
/** What has not changed for so long does not change any more, ms. */
const settledMs = 100;
/** How long after the expected arrival nothing more is waited for, ms. */
const patienceMs = 300;
const pingBytes = 64;
const handshakeBytes = 60;

/** Two agents with a path between them. Both directions are measured at once where neither is in the other's way. */
export class ProbedPath {
  /** Sent so far in both directions together: whole IP packets, TCP acknowledgements left out. */
  probeBytes = 0;
  readonly #ends: Readonly<Record<Direction, { from: ProbeProcess; to: ProbeProcess }>>;
  readonly #asked: Shape | null;
  readonly #rttMs: number;
  /** TCP connections that each direction's sender has open and has not sent on. */
  readonly #unused: Record<Direction, number> = { down: 0, up: 0 };
  #trains = 0;

  constructor(near: ProbeProcess, far: ProbeProcess, asked: Shape | null) {
    this.#ends = { down: { from: far, to: near }, up: { from: near, to: far } };
    this.#asked = asked;
    // The longest that a packet and its answer take while nothing queues.
    this.#rttMs = (asked?.rttMs ?? 0) + 2 * (asked?.jitterMs ?? 0) + 2 * (asked?.reorderDelayMs ?? 0);
  }

  /** @returns those of the probes that were answered, ms */
  async roundTrips(by: 'ping' | 'handshake', { count, intervalMs }: Pick<PingPlan, 'count' | 'intervalMs'>) {
    const { from, to } = this.#ends.up;
    this.probeBytes += 2 * count * (by === 'ping' ? pingBytes : handshakeBytes);
    const plan = { to: to.addresses, count, intervalMs, timeoutMs: this.#rttMs + patienceMs };
    return from.perform(by === 'ping' ? { do: by, packetBytes: pingBytes, ...plan } : { do: by, ...plan });
  }

  /**
   * Loss each way, by a train of each transport at once. By TCP it is of all segments, as both ends count them.
   */
  async losses(): Promise<Record<Transport, Record<Direction, LossReading>>> {
    const [byUdp, byTcp] = [this.#lossTrains('udp'), this.#lossTrains('tcp')];
    await this.#connect([byTcp]);
    const before = await this.#countWhenQuiet();
    const udp = Promise.all([this.#udpLoss('down', byUdp.down), this.#udpLoss('up', byUdp.up)]);
    // A model of bursts takes a step a packet: with another train between, this one would see shorter bursts.
    if (this.#bursty) await udp;
    await Promise.all(directions.map((direction) => this.#stream(direction, byTcp[direction])));
    const [down, up] = await udp;
    await this.#hangUp();
    const after = await this.#countWhenQuiet();
    const tcpLoss = (direction: Direction, sent: number, arrived: number) => ({
      loss: lossOf(sent, arrived, this.#varianceFactor(direction)),
      reorder: null,
    });
    return {
      udp: { down, up },
      tcp: {
        down: tcpLoss('down', after.far.sent - before.far.sent, after.near.received - before.near.received),
        up: tcpLoss('up', after.near.sent - before.near.sent, after.far.received - before.far.received),
      },
    };
  }

  async #udpLoss(direction: Direction, plan: TrainPlan): Promise<LossReading> {
    const arrivals = await this.#send(direction, plan);
    const families = this.#ends[direction].to.addresses.length;
    const apartMs = (1000 * families) / plan.packetsPerSecond;
    const seen = this.#asked?.reorderRatio !== undefined && apartMs < (this.#asked.reorderDelayMs ?? 0) / 2;
    return {
      loss: lossOfTrain(plan.packets, arrivals, this.#varianceFactor(direction)),
      reorder: seen ? reorderOf(arrivals, families) : null,
    };
  }

  #lossTrains(by: Transport) {
    const train = (direction: Direction) => lossTrain(this.#rate(direction), this.#loss(direction), by);
    return { down: train('down'), up: train('up') };
  }

  #rateTrains(by: Transport): Trains {
    const train = (direction: Direction) => {
      const rate = this.#rate(direction);
      return rate === null
        ? null
        : rateTrain(rate, this.#loss(direction), this.#asked?.queuePackets ?? 1, by);
    };
    return { down: train('down'), up: train('up') };
  }

  /** Rate each way; null where it is not limited, and where nothing arrived. */
  async rates(by: Transport): Promise<Record<Direction, number | null>> {
    const plans = this.#rateTrains(by);
    // Opened now, those of the loss trains need not be waited for later.
    if (by === 'tcp') await this.#connect([plans, this.#lossTrains(by)]);
    const read = async (direction: Direction): Promise<number | null> => {
      const plan = plans[direction];
      if (plan === null) return null;
      if (by === 'udp') return rateOfArrivals(await this.#send(direction, plan), plan);
      const forMs = this.#rttMs / 2 + (1000 * plan.packets) / plan.packetsPerSecond + settledMs;
      const watched = this.#ends[direction].to.perform({ do: 'watch', forMs });
      await this.#stream(direction, plan);
      const values = await watched;
      return rateOfReceived(
        pairs(values, (atMs, bytes) => ({ atMs, bytes })),
        plan,
      );
    };
    const rates = (this.#rate('down') ?? 0) + (this.#rate('up') ?? 0);
    const [down, up] =
      rates <= bothAtOnceBitsPerSecond
        ? await Promise.all([read('down'), read('up')])
        : [await read('down'), await this.#rested(by).then(() => read('up'))];
    if (by === 'tcp') await this.#hangUp();
    return { down, up };
  }

  /** What one direction's connections are still sent by way of acknowledgement would count as the other's rate. */
  async #rested(by: Transport): Promise<void> {
    if (by === 'tcp') await sleep(this.#rttMs / 2 + settledMs);
  }

  /** Round-trip time while the queue towards the near end is full; null where that rate is not limited. */
  async queue(): Promise<QueueMeasurement | null> {
    const rate = this.#rate('down');
    if (rate === null || this.#asked === null) return null;
    const { rttMs, queuePackets, lossDownRatio } = this.#asked;
    const { count, intervalMs, packetBytes, flood } = queuePlan(
      rate,
      queuePackets,
      lossDownRatio,
      this.#rttMs,
    );
    // What is left of a train, as short as it is, would take places in the queue.
    await this.#countWhenQuiet();
    const predictedRttMs = rttMs + (queuePackets * packetBytes * 8 * 1000) / rate;
    const { from, to } = this.#ends.down;
    this.probeBytes += flood.packets * packetBytes + 2 * count * packetBytes;
    const train = ++this.#trains;
    const sent = from.perform({ do: 'send', to: to.addresses, train, plan: flood });
    const timeoutMs = 2 * predictedRttMs + patienceMs;
    const ping = { do: 'ping', to: from.addresses, count, intervalMs, timeoutMs, packetBytes } as const;
    const rttsMs = await to.perform(ping);
    await sent;
    await to.perform({ do: 'collect', train, packets: flood.packets, latestMs: 0, idleMs: patienceMs });
    return { packetBytes, predictedRttMs, rttMs: median(rttsMs), rttSamples: rttsMs.length };
  }

  #rate(direction: Direction): number | null {
    return this.#asked?.[direction === 'down' ? 'downBitsPerSecond' : 'upBitsPerSecond'] ?? null;
  }

  #loss(direction: Direction): number {
    return this.#asked?.[direction === 'down' ? 'lossDownRatio' : 'lossUpRatio'] ?? 0;
  }

  get #bursty(): boolean {
    return this.#asked?.burstLossDown !== undefined || this.#asked?.burstLossUp !== undefined;
  }

  #varianceFactor(direction: Direction): number {
    const model = this.#asked?.[direction === 'down' ? 'burstLossDown' : 'burstLossUp'];
    return model === undefined ? 1 : lossVarianceFactor(model);
  }

  async #send(direction: Direction, plan: TrainPlan): Promise<Arrival[]> {
    const { from, to } = this.#ends[direction];
    const train = ++this.#trains;
    this.probeBytes += plan.packets * plan.packetBytes;
    await from.perform({ do: 'send', to: to.addresses, train, plan });
    const { packets } = plan;
    const latestMs = this.#rttMs / 2;
    const values = await to.perform({ do: 'collect', train, packets, latestMs, idleMs: patienceMs });
    return pairs(values, (number, atMs) => ({ number, atMs }));
  }

  /** Has each direction's sender open the connections of its trains, as far as they are not open yet. */
  async #connect(trains: readonly Trains[]): Promise<void> {
    // A handshake crosses both ways.
    const rates = directions.map((each) => this.#rate(each)).filter((rate) => rate !== null);
    const slower = rates.length === 0 ? null : Math.min(...rates);
    const lost = 1 - (1 - this.#loss('down')) * (1 - this.#loss('up'));
    // Time for what is lost to be sent again, after a second (RFC 6298).
    const timeoutMs = this.#rttMs + patienceMs + (lost > 0 ? 1000 : 0);
    await Promise.all(
      directions.map(async (direction) => {
        const plans = trains.map((plan) => plan[direction]).filter((plan) => plan !== null);
        const wanted = plans.reduce((sum, plan) => sum + connectionsFor(plan), 0);
        const connections = wanted - this.#unused[direction];
        if (connections <= 0) return;
        const { spare, perSecond } = handshakePlan(connections, slower, lost);
        this.probeBytes += (connections + spare) * 3 * handshakeBytes;
        const { from, to } = this.#ends[direction];
        const plan = { to: to.addresses, connections, spare, perSecond, timeoutMs };
        const [opened = 0] = await from.perform({ do: 'connect', ...plan });
        this.#unused[direction] += opened;
      }),
    );
  }

  async #stream(direction: Direction, plan: TrainPlan): Promise<void> {
    const connections = Math.min(this.#unused[direction], connectionsFor(plan));
    this.#unused[direction] -= connections;
    this.probeBytes += plan.packets * plan.packetBytes;
    await this.#ends[direction].from.perform({ do: 'stream', plan, connections });
  }

  async #hangUp(): Promise<void> {
    const { from, to } = this.#ends.up;
    await Promise.all([from, to].map((end) => end.perform({ do: 'hang-up' })));
  }

  /**
   * TCP segments that both ends have sent and received, once nothing is under way between them: it has not changed for as long as
   * a packet is.
   */
  async #countWhenQuiet() {
    const { from: near, to: far } = this.#ends.up;
    for (let last = ''; ;) {
      const count = (end: ProbeProcess) => end.perform({ do: 'count-segments' });
      const counts = await Promise.all([count(near), count(far)]);
      if (counts.join() === last) {
        const [[nearReceived = 0, nearSent = 0], [farReceived = 0, farSent = 0]] = counts;
        return {
          near: { received: nearReceived, sent: nearSent },
          far: { received: farReceived, sent: farSent },
        };
      }
      last = counts.join();
      await sleep(this.#rttMs / 2 + settledMs);
    }
  }
}

/** What an agent answered two numbers at a time. */
function pairs<T>(values: readonly number[], make: (first: number, second: number) => T): T[] {
  const made: T[] = [];
  for (let at = 0; at + 1 < values.length; at += 2) made.push(make(values[at] ?? 0, values[at + 1] ?? 0));
  return made;
}

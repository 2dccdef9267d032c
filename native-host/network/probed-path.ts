import type { QueueMeasurement, Shape } from '../../shared/record/path.ts';
import { varianceFactorOf } from './burst-loss.ts';
import { lossOf, lossOfTrain, median, rateOfReceived, reorderOf, type Arrival } from './judge-arrivals.ts';
import type { LossReading } from './path-readings.ts';
import { queuePlan, type TrainPlan, type Transport } from './probe-plan.ts';
import type { ProbeProcess } from './probe-process.ts';
import type { PingPlan } from './probe-protocol.ts';
import { directions, patienceMs, ProbeSchedule, settledMs } from './probe-schedule.ts';
import { handshakeBytes, ProbedConnections, type SegmentCounts } from './probed-connections.ts';
import type { Direction } from './shape-commands.ts';

const pingBytes = 64;

/** Of one direction, as far as it is yet. */
interface ReadRate {
  /** When the train has left. */
  left: Promise<unknown>;
  /** Bit/s; null where it is not limited, and where nothing arrived. */
  rate: Promise<number | null>;
}

/** Two agents with a path between them. Both directions are measured at once where neither is in the other's way. */
export class ProbedPath {
  readonly schedule: ProbeSchedule;
  readonly #ends: Readonly<Record<Direction, { from: ProbeProcess; to: ProbeProcess }>>;
  readonly #connections: ProbedConnections;
  #datagramBytes = 0;
  #trains = 0;

  constructor(near: ProbeProcess, far: ProbeProcess, asked: Shape | null) {
    this.#ends = { down: { from: far, to: near }, up: { from: near, to: far } };
    this.schedule = new ProbeSchedule(asked);
    this.#connections = new ProbedConnections(near, far, this.schedule);
  }

  /** Sent so far in both directions together: whole IP packets, TCP acknowledgements left out. */
  get probeBytes(): number {
    return this.#datagramBytes + this.#connections.probeBytes;
  }

  get #rttMs(): number {
    return this.schedule.rttMs;
  }

  /** @returns those of the probes that were answered, ms */
  async roundTrips(by: 'ping' | 'handshake', { count, intervalMs }: Pick<PingPlan, 'count' | 'intervalMs'>) {
    const { from, to } = this.#ends.up;
    this.#datagramBytes += 2 * count * (by === 'ping' ? pingBytes : handshakeBytes);
    const waits = { enoughMs: this.#rttMs + settledMs, timeoutMs: this.#rttMs + patienceMs };
    const plan = { to: to.addresses, count, intervalMs, ...waits };
    return from.perform(by === 'ping' ? { do: by, packetBytes: pingBytes, ...plan } : { do: by, ...plan });
  }

  /**
   * Has the connections of all TCP trains opened, so that none of them is waited for later: those to measure loss by a second
   * time too.
   */
  async openConnections(): Promise<void> {
    const loss = this.schedule.lossTrains('tcp');
    await this.#connections.open([this.schedule.rateTrains('tcp'), loss, loss]);
  }

  /**
   * Loss each way, by a train of each transport at once. By TCP it is of all segments, as both ends count them.
   * @param by those to measure
   */
  async losses<T extends Transport>(by: readonly T[]): Promise<Record<T, Record<Direction, LossReading>>> {
    const trains = { udp: this.schedule.lossTrains('udp'), tcp: this.schedule.lossTrains('tcp') };
    const has = (transport: Transport) => (by as readonly Transport[]).includes(transport);
    const before = has('tcp') ? await this.#connections.openWhenQuiet([trains.tcp]) : null;
    const departing = has('udp')
      ? directions.map((direction) => this.#depart(direction, trains.udp[direction]))
      : [];
    const udp = Promise.all(
      departing.map(async (departed, index) => {
        const direction = directions[index] ?? 'down';
        const plan = trains.udp[direction];
        return this.#udpLoss(
          direction,
          plan,
          await this.#arrive(direction, plan, await departed, patienceMs),
        );
      }),
    );
    const byTcp = async () => {
      if (before === null) return [];
      // A model of bursts takes a step a packet: with another train between, this one would see shorter bursts.
      if (this.schedule.bursty) await Promise.all(departing);
      const streams = directions.map((direction) =>
        this.#connections.stream(direction, trains.tcp[direction]),
      );
      // The resets follow the last of all packets: a short queue might have no room for both.
      await Promise.all([...streams, ...departing]);
      return this.#tcpLosses(before);
    };
    const [udpReadings, tcpReadings] = await Promise.all([udp, byTcp()]);
    const readings = { udp: udpReadings, tcp: tcpReadings };
    return Object.fromEntries(
      by.map((transport) => [transport, { down: readings[transport][0], up: readings[transport][1] }]),
    ) as Record<T, Record<Direction, LossReading>>;
  }

  async #tcpLosses(before: SegmentCounts): Promise<LossReading[]> {
    await this.#connections.hangUp({ perSecond: this.schedule.resetsPerSecond });
    const after = await this.#connections.countWhenQuiet();
    const of = (direction: Direction, from: 'near' | 'far', to: 'near' | 'far'): LossReading => {
      const sent = after[from].sent - before[from].sent;
      const arrived = after[to].received - before[to].received;
      return { loss: lossOf(sent, arrived, varianceFactorOf(this.schedule.asked, direction)), reorder: null };
    };
    return [of('down', 'far', 'near'), of('up', 'near', 'far')];
  }

  #udpLoss(direction: Direction, plan: TrainPlan, arrivals: readonly Arrival[]): LossReading {
    const { asked } = this.schedule;
    const families = this.#ends[direction].to.addresses.length;
    const apartMs = (1000 * families) / plan.packetsPerSecond;
    const seen = asked?.reorderRatio !== undefined && apartMs < (asked.reorderDelayMs ?? 0) / 2;
    return {
      loss: lossOfTrain(plan.packets, arrivals, varianceFactorOf(this.schedule.asked, direction)),
      reorder: seen ? reorderOf(arrivals, families) : null,
    };
  }

  /** Rate each way; null where it is not limited, and where nothing arrived. */
  async rates(by: Transport): Promise<Record<Direction, number | null>> {
    const plans = this.schedule.rateTrains(by);
    if (by === 'tcp' && !this.#connections.hasFor([plans])) await this.#connections.openWhenQuiet([plans]);
    const down = this.#rate(by, 'down', plans.down);
    // One may leave while the other is still under way: at the router that is no more than one train's coming and going.
    const next = this.schedule.oneByOne ? down.left : Promise.resolve();
    const rates = await Promise.all([down.rate, next.then(() => this.#rate(by, 'up', plans.up).rate)]);
    if (by === 'tcp') await this.#connections.hangUp();
    return { down: rates[0], up: rates[1] };
  }

  /**
   * By what the receiver's interfaces count, all of which the bottleneck has let through. Of the train's packets alone, the rate of
   * a slow path would read too low: a handshake's answer that was lost is sent again a second later (RFC 6298), and
   * takes the time of one in a hundred of them.
   */
  #rate(by: Transport, direction: Direction, plan: TrainPlan | null): ReadRate {
    if (plan === null) return { left: Promise.resolve(), rate: Promise.resolve(null) };
    // What the other direction's train still has acknowledged must not be taken for this one's first.
    const { earliestMs } = this.schedule;
    const forMs = this.#rttMs / 2 - earliestMs + (1000 * plan.packets) / plan.packetsPerSecond + settledMs;
    const watched = this.#ends[direction].to.perform({ do: 'watch', afterMs: earliestMs, forMs });
    const left =
      by === 'tcp'
        ? this.#connections.stream(direction, plan).then(() => null)
        : this.#depart(direction, plan);
    const arrived = left.then(async (train) => {
      if (train !== null) await this.#arrive(direction, plan, train, settledMs);
    });
    const rate = Promise.all([watched, arrived]).then(([values]) =>
      rateOfReceived(
        pairs(values, (atMs, bytes) => ({ atMs, bytes })),
        plan,
      ),
    );
    return { left, rate };
  }

  /** Round-trip time while the queue towards the near end is full; null where that rate is not limited. */
  async queue(): Promise<QueueMeasurement | null> {
    const { asked } = this.schedule;
    const rate = this.schedule.rate('down');
    if (rate === null || asked === null) return null;
    const { rttMs, queuePackets, lossDownRatio } = asked;
    const { count, intervalMs, packetBytes, flood } = queuePlan(
      rate,
      queuePackets,
      lossDownRatio,
      this.#rttMs,
    );
    // What is left of a train, as short as it is, would take places in the queue.
    await this.#connections.countWhenQuiet();
    const predictedRttMs = rttMs + (queuePackets * packetBytes * 8 * 1000) / rate;
    const { from, to } = this.#ends.down;
    this.#datagramBytes += 2 * count * packetBytes;
    const departed = this.#depart('down', flood);
    const timeoutMs = 2 * predictedRttMs + patienceMs;
    const waits = { enoughMs: timeoutMs, timeoutMs };
    const ping = { do: 'ping', to: from.addresses, count, intervalMs, ...waits, packetBytes } as const;
    const [rttsMs, train] = await Promise.all([to.perform(ping), departed]);
    await this.#arrive('down', flood, train, patienceMs, 0);
    return { packetBytes, predictedRttMs, rttMs: median(rttsMs), rttSamples: rttsMs.length };
  }

  /** Ends every connection by a reset: one that its agent left to the kernel would be told of for a minute. */
  async close(): Promise<void> {
    await this.#connections.hangUp({ all: true });
  }

  /** Sends a train. @returns its number, when the last has left */
  async #depart(direction: Direction, plan: TrainPlan): Promise<number> {
    const { from, to } = this.#ends[direction];
    const train = ++this.#trains;
    this.#datagramBytes += plan.packets * plan.packetBytes;
    await from.perform({ do: 'send', to: to.addresses, train, plan });
    return train;
  }

  /** What came of a train whose last packet has left. */
  async #arrive(
    direction: Direction,
    { packets }: TrainPlan,
    train: number,
    idleMs: number,
    latestMs = this.#rttMs / 2,
  ): Promise<Arrival[]> {
    const values = await this.#ends[direction].to.perform({
      do: 'collect',
      train,
      packets,
      latestMs,
      idleMs,
    });
    return pairs(values, (number, atMs) => ({ number, atMs }));
  }
}

/** What an agent answered two numbers at a time. */
function pairs<T>(values: readonly number[], make: (first: number, second: number) => T): T[] {
  const made: T[] = [];
  for (let at = 0; at + 1 < values.length; at += 2) made.push(make(values[at] ?? 0, values[at + 1] ?? 0));
  return made;
}

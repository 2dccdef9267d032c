import { setTimeout as sleep } from 'node:timers/promises';
import type {
  LossMeasurement,
  QueueMeasurement,
  ReorderMeasurement,
  Shape,
} from '../../shared/record/path.ts';
import {
  lossOf,
  lossOfTrain,
  median,
  rateOfArrivals,
  rateOfReceived,
  reorderOf,
  type Arrival,
} from './judge-arrivals.ts';
import { connectionsFor, queuePlan, type TrainPlan, type Transport } from './probe-plan.ts';
import type { ProbeProcess } from './probe-process.ts';
import type { PingPlan } from './probe-protocol.ts';
import { directions, lookMs, patienceMs, ProbeSchedule, settledMs, type Trains } from './probe-schedule.ts';
import type { Direction } from './shape-commands.ts';

export interface LossReading {
  loss: LossMeasurement;
  /** Null where none was asked for, and where packets were too far apart for a late one to be overtaken. */
  reorder: ReorderMeasurement | null;
}

/** TCP segments that one end has received and sent. */
interface Segments {
  received: number;
  sent: number;
}

const pingBytes = 64;
const handshakeBytes = 60;

/** Two agents with a path between them. Both directions are measured at once where neither is in the other's way. */
export class ProbedPath {
  /** Sent so far in both directions together: whole IP packets, TCP acknowledgements left out. */
  probeBytes = 0;
  readonly schedule: ProbeSchedule;
  readonly #ends: Readonly<Record<Direction, { from: ProbeProcess; to: ProbeProcess }>>;
  /** TCP connections that each direction's sender has open and has not sent on. */
  readonly #unused: Record<Direction, number> = { down: 0, up: 0 };
  #trains = 0;

  constructor(near: ProbeProcess, far: ProbeProcess, asked: Shape | null) {
    this.#ends = { down: { from: far, to: near }, up: { from: near, to: far } };
    this.schedule = new ProbeSchedule(asked);
  }

  get #rttMs(): number {
    return this.schedule.rttMs;
  }

  /** @returns those of the probes that were answered, ms */
  async roundTrips(by: 'ping' | 'handshake', { count, intervalMs }: Pick<PingPlan, 'count' | 'intervalMs'>) {
    const { from, to } = this.#ends.up;
    this.probeBytes += 2 * count * (by === 'ping' ? pingBytes : handshakeBytes);
    const waits = { enoughMs: this.#rttMs + settledMs, timeoutMs: this.#rttMs + patienceMs };
    const plan = { to: to.addresses, count, intervalMs, ...waits };
    return from.perform(by === 'ping' ? { do: by, packetBytes: pingBytes, ...plan } : { do: by, ...plan });
  }

  /** Has the connections of all TCP trains opened, so that none of them is waited for later. */
  async openConnections(): Promise<void> {
    await this.#connect([this.schedule.rateTrains('tcp'), this.schedule.lossTrains('tcp')]);
  }

  #hasConnectionsFor(trains: readonly Trains[]): boolean {
    return directions.every(
      (direction) => this.schedule.connections(direction, trains) <= this.#unused[direction],
    );
  }

  /** Opens what is missing on a path that is quiet. @returns the segments counted before anything more is sent */
  async #connectWhenQuiet(trains: readonly Trains[]): Promise<Record<'near' | 'far', Segments>> {
    const before = await this.#countWhenQuiet();
    if (this.#hasConnectionsFor(trains)) return before;
    await this.#connect(trains);
    return this.#countWhenQuiet();
  }

  /**
   * Loss each way, by a train of each transport at once. By TCP it is of all segments, as both ends count them.
   * @param by those to measure
   */
  async losses<T extends Transport>(by: readonly T[]): Promise<Record<T, Record<Direction, LossReading>>> {
    const trains = { udp: this.schedule.lossTrains('udp'), tcp: this.schedule.lossTrains('tcp') };
    const has = (transport: Transport) => (by as readonly Transport[]).includes(transport);
    const before = has('tcp') ? await this.#connectWhenQuiet([trains.tcp]) : null;
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
      const streams = directions.map((direction) => this.#stream(direction, trains.tcp[direction]));
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

  async #tcpLosses(before: Record<'near' | 'far', Segments>): Promise<LossReading[]> {
    await this.#hangUp({ perSecond: this.schedule.resetsPerSecond });
    const after = await this.#countWhenQuiet();
    const of = (direction: Direction, from: 'near' | 'far', to: 'near' | 'far'): LossReading => {
      const sent = after[from].sent - before[from].sent;
      const arrived = after[to].received - before[to].received;
      return { loss: lossOf(sent, arrived, this.schedule.varianceFactor(direction)), reorder: null };
    };
    return [of('down', 'far', 'near'), of('up', 'near', 'far')];
  }

  #udpLoss(direction: Direction, plan: TrainPlan, arrivals: readonly Arrival[]): LossReading {
    const { asked } = this.schedule;
    const families = this.#ends[direction].to.addresses.length;
    const apartMs = (1000 * families) / plan.packetsPerSecond;
    const seen = asked?.reorderRatio !== undefined && apartMs < (asked.reorderDelayMs ?? 0) / 2;
    return {
      loss: lossOfTrain(plan.packets, arrivals, this.schedule.varianceFactor(direction)),
      reorder: seen ? reorderOf(arrivals, families) : null,
    };
  }

  /** Rate each way; null where it is not limited, and where nothing arrived. */
  async rates(by: Transport): Promise<Record<Direction, number | null>> {
    return by === 'udp' ? this.#udpRates() : this.#tcpRates();
  }

  async #udpRates(): Promise<Record<Direction, number | null>> {
    const plans = this.schedule.rateTrains('udp');
    const read = async (direction: Direction, departed: Promise<number | null>) => {
      const [plan, train] = [plans[direction], await departed];
      if (plan === null || train === null) return null;
      return rateOfArrivals(await this.#arrive(direction, plan, train, settledMs), plan);
    };
    const depart = async (direction: Direction) => {
      const plan = plans[direction];
      return plan === null ? null : this.#depart(direction, plan);
    };
    const first = depart('down');
    // One may leave while the other is still under way: at the router that is no more than one train's coming and going.
    const second = this.schedule.oneByOne ? first.then(() => depart('up')) : depart('up');
    const [down, up] = await Promise.all([read('down', first), read('up', second)]);
    return { down, up };
  }

  async #tcpRates(): Promise<Record<Direction, number | null>> {
    const plans = this.schedule.rateTrains('tcp');
    if (!this.#hasConnectionsFor([plans])) await this.#connectWhenQuiet([plans]);
    const read = async (direction: Direction): Promise<number | null> => {
      const plan = plans[direction];
      if (plan === null) return null;
      const forMs = this.#rttMs / 2 + (1000 * plan.packets) / plan.packetsPerSecond + settledMs;
      const watched = this.#ends[direction].to.perform({ do: 'watch', forMs });
      const [values] = await Promise.all([watched, this.#stream(direction, plan)]);
      return rateOfReceived(
        pairs(values, (atMs, bytes) => ({ atMs, bytes })),
        plan,
      );
    };
    // What one direction's connections are still sent by way of acknowledgement would count as the other's rate.
    const rested = () => sleep(this.#rttMs / 2 + settledMs);
    const [down, up] = this.schedule.oneByOne
      ? [await read('down'), await rested().then(() => read('up'))]
      : await Promise.all([read('down'), read('up')]);
    await this.#hangUp();
    return { down, up };
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
    await this.#countWhenQuiet();
    const predictedRttMs = rttMs + (queuePackets * packetBytes * 8 * 1000) / rate;
    const { from, to } = this.#ends.down;
    this.probeBytes += 2 * count * packetBytes;
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
    await this.#hangUp({ all: true });
  }

  /** Sends a train. @returns its number, when the last has left */
  async #depart(direction: Direction, plan: TrainPlan): Promise<number> {
    const { from, to } = this.#ends[direction];
    const train = ++this.#trains;
    this.probeBytes += plan.packets * plan.packetBytes;
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

  /**
   * Has each direction's sender open the connections of its trains, as far as they are not open yet. Those to spare make up for
   * what is lost; that is sent again only after a second (RFC 6298), which nobody waits for.
   */
  async #connect(trains: readonly Trains[]): Promise<void> {
    const timeoutMs = this.#rttMs + settledMs;
    await Promise.all(
      directions.map(async (direction) => {
        const connections = this.schedule.connections(direction, trains) - this.#unused[direction];
        if (connections <= 0) return;
        const { spare, perSecond } = this.schedule.handshakes(connections);
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

  /** Both ends drop the connections that were sent on, or all of them. */
  async #hangUp({ all = false, perSecond = 1e6 } = {}): Promise<void> {
    const { from, to } = this.#ends.up;
    await Promise.all([from, to].map((end) => end.perform({ do: 'hang-up', all, perSecond })));
  }

  /**
   * TCP segments that both ends have sent and received, once nothing is under way between them: it has not changed for as
   * long as a packet is.
   */
  async #countWhenQuiet(): Promise<Record<'near' | 'far', Segments>> {
    const { from: near, to: far } = this.#ends.up;
    const count = (end: ProbeProcess) => end.perform({ do: 'count-segments' });
    let last = { counts: '', sinceMs: 0 };
    for (;;) {
      const counts = await Promise.all([count(near), count(far)]);
      const nowMs = performance.now();
      if (counts.join() !== last.counts) last = { counts: counts.join(), sinceMs: nowMs };
      else if (nowMs - last.sinceMs > this.#rttMs / 2 + settledMs) {
        const [[nearReceived = 0, nearSent = 0], [farReceived = 0, farSent = 0]] = counts;
        return {
          near: { received: nearReceived, sent: nearSent },
          far: { received: farReceived, sent: farSent },
        };
      }
      await sleep(lookMs);
    }
  }
}

/** What an agent answered two numbers at a time. */
function pairs<T>(values: readonly number[], make: (first: number, second: number) => T): T[] {
  const made: T[] = [];
  for (let at = 0; at + 1 < values.length; at += 2) made.push(make(values[at] ?? 0, values[at + 1] ?? 0));
  return made;
}

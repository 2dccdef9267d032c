import { setTimeout as sleep } from 'node:timers/promises';
import { connectionsFor, type TrainPlan } from './probe-plan.ts';
import type { ProbeProcess } from './probe-process.ts';
import { directions, lookMs, settledMs, type ProbeSchedule, type Trains } from './probe-schedule.ts';
import type { Direction } from './shape-commands.ts';

/** Of a SYN, without the options that differ by family, bytes. */
export const handshakeBytes = 60;

/** TCP segments that one end has received and sent. */
interface Segments {
  received: number;
  sent: number;
}

/** Of both ends. */
export type SegmentCounts = Readonly<Record<'near' | 'far', Segments>>;

/** The TCP connections across a path: opened, sent on, dropped, and their segments counted at both ends. */
export class ProbedConnections {
  /** Sent so far in both directions together: whole IP packets, acknowledgements left out. */
  probeBytes = 0;
  readonly #near: ProbeProcess;
  readonly #far: ProbeProcess;
  readonly #schedule: ProbeSchedule;
  /** Those that each direction's sender has open and has not sent on. */
  readonly #unused: Record<Direction, number> = { down: 0, up: 0 };
  /** As counted when all was quiet; null once more has been sent. */
  #counted: SegmentCounts | null = null;

  constructor(near: ProbeProcess, far: ProbeProcess, schedule: ProbeSchedule) {
    this.#near = near;
    this.#far = far;
    this.#schedule = schedule;
  }

  #sender(direction: Direction): ProbeProcess {
    return direction === 'down' ? this.#far : this.#near;
  }

  hasFor(trains: readonly Trains[]): boolean {
    return directions.every(
      (direction) => this.#schedule.connections(direction, trains) <= this.#unused[direction],
    );
  }

  /** Opens what is missing on a path that is quiet. @returns the segments counted before anything more is sent */
  async openWhenQuiet(trains: readonly Trains[]): Promise<SegmentCounts> {
    const before = await this.countWhenQuiet();
    if (this.hasFor(trains)) return before;
    await this.open(trains);
    return this.countWhenQuiet();
  }

  /**
   * Has each direction's sender open the connections of its trains, as far as they are not open yet. Those to spare make up for
   * what is lost; that is sent again only after a second (RFC 6298), which nobody waits for.
   */
  async open(trains: readonly Trains[]): Promise<void> {
    this.#counted = null;
    const timeoutMs = this.#schedule.rttMs + settledMs;
    await Promise.all(
      directions.map(async (direction) => {
        const connections = this.#schedule.connections(direction, trains) - this.#unused[direction];
        if (connections <= 0) return;
        const { spare, perSecond } = this.#schedule.handshakes(connections);
        this.probeBytes += (connections + spare) * 3 * handshakeBytes;
        const from = this.#sender(direction);
        const to = this.#sender(direction === 'down' ? 'up' : 'down').addresses;
        const [opened = 0] = await from.perform({
          do: 'connect',
          ...{ to, connections, spare, perSecond, timeoutMs },
        });
        this.#unused[direction] += opened;
      }),
    );
  }

  /** Sends a train over connections that nothing was sent on yet. */
  async stream(direction: Direction, plan: TrainPlan): Promise<void> {
    this.#counted = null;
    const connections = Math.min(this.#unused[direction], connectionsFor(plan));
    this.#unused[direction] -= connections;
    this.probeBytes += plan.packets * plan.packetBytes;
    await this.#sender(direction).perform({ do: 'stream', plan, connections });
  }

  /** Both ends drop the connections that were sent on, or all of them. */
  async hangUp({ all = false, perSecond = 1e6 } = {}): Promise<void> {
    this.#counted = null;
    await Promise.all([this.#near, this.#far].map((end) => end.perform({ do: 'hang-up', all, perSecond })));
  }

  /**
   * TCP segments that both ends have sent and received, once nothing is under way between them: it has not changed for as
   * long as a packet is.
   */
  async countWhenQuiet(): Promise<SegmentCounts> {
    if (this.#counted !== null) return this.#counted;
    const count = (end: ProbeProcess) => end.perform({ do: 'count-segments' });
    let last = { counts: '', sinceMs: 0 };
    for (;;) {
      const counts = await Promise.all([count(this.#near), count(this.#far)]);
      const nowMs = performance.now();
      if (counts.join() !== last.counts) last = { counts: counts.join(), sinceMs: nowMs };
      else if (nowMs - last.sinceMs > this.#schedule.rttMs / 2 + settledMs) {
        const [[nearReceived = 0, nearSent = 0], [farReceived = 0, farSent = 0]] = counts;
        return (this.#counted = {
          near: { received: nearReceived, sent: nearSent },
          far: { received: farReceived, sent: farSent },
        });
      }
      await sleep(lookMs);
    }
  }
}

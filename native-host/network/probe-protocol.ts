import type { TrainPlan } from './probe-plan.ts';

/**
 * What a probe agent is told, one JSON object a line on its standard input; each is answered by one
 * {@link ProbeAnswer} line with the same `id`. Both ends are children of the same process, so none of this crosses
 * the path that is measured. Where there are several addresses, one a family, packets or connections go to them in
 * turn.
 */
export type ProbeCommand =
  /** Opens sockets on addresses. Answered with a UDP and a TCP port for each. */
  | { id: number; do: 'bind'; addresses: readonly string[] }
  /** Sends datagrams and waits for their echo, of the same size. Answered with the times it took, ms, of those that came. */
  | ({ id: number; do: 'ping'; packetBytes: number } & PingPlan)
  /** Opens TCP connections one after another, and drops them. Answered with the times it took, ms, of those open. */
  | ({ id: number; do: 'handshake' } & PingPlan)
  /** Sends a train. Answered when the last has left, with the number of those sent. */
  | { id: number; do: 'send'; to: readonly ProbeAddress[]; train: number; plan: TrainPlan }
  /**
   * Answered with number and time of arrival, ms, of each datagram of a train in turn, once all are there or none
   * came for `idleMs`, which begin when what was sent last can be there, `latestMs` from now.
   */
  | { id: number; do: 'collect'; train: number; packets: number; latestMs: number; idleMs: number }
  /** Opens TCP connections. Answered with the number of those open, when all are or time is over. */
  | {
      id: number;
      do: 'connect';
      to: readonly ProbeAddress[];
      connections: number;
      spare: number;
      perSecond: number;
      timeoutMs: number;
    }
  /** Sends a train of TCP segments over so many of the connections not used yet, one after the other. Answered as `send` is. */
  | { id: number; do: 'stream'; plan: TrainPlan; connections: number }
  /** Drops the TCP connections that either end has streamed over, so many in a second; `all`: the others too. */
  | { id: number; do: 'hang-up'; all: boolean; perSecond: number }
  /** Answered with the TCP segments received and sent at this end so far. */
  | { id: number; do: 'count-segments' }
  /** Watches what this end's interfaces receive, for so long from then on. Answered with time, ms, and IP bytes so far in turn. */
  | { id: number; do: 'watch'; afterMs: number; forMs: number };

export interface PingPlan {
  to: readonly ProbeAddress[];
  count: number;
  intervalMs: number;
  /** After the last has left: see {@link waitForAnswers}. */
  enoughMs: number;
  timeoutMs: number;
}

export interface ProbeAddress {
  address: string;
  udpPort: number;
  tcpPort: number;
}

export interface ProbeAnswer {
  id: number;
  /** Ports, counts, bytes, or times in ms: see {@link ProbeCommand}. */
  values: number[];
}

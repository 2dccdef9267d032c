/**
 * What a probe agent is told, one JSON object a line on its standard input; each is answered by one
 * {@link ProbeAnswer} line with the same `id`. Both ends are children of the same process, so none of this crosses
 * the path that is measured.
 */
export type ProbeCommand =
  /** Opens the socket on an address. Answered with its port. */
  | { id: number; do: 'bind'; address: string }
  /** Sends small datagrams and waits for their echo. Answered with the times it took, ms, of those that came. */
  | { id: number; do: 'ping'; to: ProbeAddress; count: number; intervalMs: number; timeoutMs: number }
  /** Sends a train. Answered when the last has left, with the number of those sent. */
  | {
      id: number;
      do: 'send';
      to: ProbeAddress;
      train: number;
      packets: number;
      head: number;
      packetBytes: number;
      packetsPerSecond: number;
    }
  /** Answered with when each datagram of a train arrived, ms, once all are there or none came for `idleMs`. */
  | { id: number; do: 'collect'; train: number; packets: number; idleMs: number };

export interface ProbeAddress {
  address: string;
  port: number;
}

export interface ProbeAnswer {
  id: number;
  /** Port, count of those sent, or times in ms: see {@link ProbeCommand}. */
  values: number[];
}

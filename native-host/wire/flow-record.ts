import type { Direction } from './stream-sink.ts';
import { TrafficBins } from './traffic-bins.ts';

/** One end of a flow. */
export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

/** What every flow counts, whatever it carries. Bytes are those of IP packets, headers included. */
export class FlowRecord {
  /** From 0, in the order of first packets. */
  readonly id: number;
  readonly client: Endpoint;
  readonly server: Endpoint;
  firstPacketAtMs = Number.POSITIVE_INFINITY;
  lastPacketAtMs = Number.NEGATIVE_INFINITY;
  firstPacketUpAtMs: number | null = null;
  firstPacketDownAtMs: number | null = null;
  bytesUp = 0;
  bytesDown = 0;
  packetsUp = 0;
  packetsDown = 0;
  readonly traffic = new TrafficBins();

  constructor(id: number, client: Endpoint, server: Endpoint) {
    this.id = id;
    this.client = client;
    this.server = server;
  }

  /** The same flow, nothing counted yet. */
  renewed(): FlowRecord {
    return new FlowRecord(this.id, this.client, this.server);
  }

  /** The client's first packet; the first at all where the capture shows one side only. */
  get openedAtMs(): number {
    return this.firstPacketUpAtMs ?? this.firstPacketAtMs;
  }

  get packets(): number {
    return this.packetsUp + this.packetsDown;
  }

  count(direction: Direction, ipBytes: number, atMs: number): void {
    // Packets of one file may be out of order in time.
    if (atMs < this.firstPacketAtMs) this.firstPacketAtMs = atMs;
    if (atMs > this.lastPacketAtMs) this.lastPacketAtMs = atMs;
    this.traffic.count(direction, ipBytes, atMs);
    if (direction === 'up') {
      this.bytesUp += ipBytes;
      this.packetsUp += 1;
      this.firstPacketUpAtMs ??= atMs;
    } else {
      this.bytesDown += ipBytes;
      this.packetsDown += 1;
      this.firstPacketDownAtMs ??= atMs;
    }
  }
}

import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { inTurn } from './in-turn.ts';
import { pace } from './pace.ts';
import { udpHeaderBytes, type TrainPlan } from './probe-plan.ts';
import type { PingPlan, ProbeAddress } from './probe-protocol.ts';
import { waitForAnswers } from './wait-for-answers.ts';

/** First byte of a datagram, followed by the train's and the datagram's own number, 32 bits each. */
const kinds = { ping: 1, pong: 2, train: 3 } as const;
/** What every datagram carries at least. */
const fixedBytes = 9;

/** The probe's UDP sockets, one a family. */
export class ProbeUdpEnd {
  #sockets: { ipv4: Socket | null; ipv6: Socket | null } = { ipv4: null, ipv6: null };
  /** By train: number and time of each arrival in turn. */
  readonly #arrivals = new Map<number, number[]>();
  readonly #pings = new Map<number, (atMs: number) => void>();

  /** @returns the port */
  bind(address: string): Promise<number> {
    const ipv6 = isIPv6(address);
    const socket = createSocket(ipv6 ? 'udp6' : 'udp4');
    this.#sockets[ipv6 ? 'ipv6' : 'ipv4'] = socket;
    socket.on('message', (data, from) => {
      this.#receive(socket, data, from);
    });
    return new Promise((resolve, reject) => {
      socket.once('error', reject);
      socket.bind(0, address, () => {
        resolve(socket.address().port);
      });
    });
  }

  /** Pings overlap, so that twenty take little longer than one even on a slow path. */
  async ping({
    to,
    count,
    intervalMs,
    packetBytes,
    ...waits
  }: PingPlan & { packetBytes: number }): Promise<number[]> {
    const rttsMs: number[] = [];
    const waiting: Promise<void>[] = [];
    for (let number = 0; number < count; number++) {
      if (number > 0) await sleep(intervalMs);
      const answered = new Promise<void>((resolve) => {
        this.#pings.set(number, (atMs) => {
          rttsMs.push(atMs - sentAt);
          resolve();
        });
      });
      const sentAt = performance.now();
      const target = inTurn(to, number);
      const bytes = packetBytes - udpHeaderBytes(isIPv6(target.address));
      this.#sendTo(target, datagram(kinds.ping, 0, number, bytes));
      waiting.push(answered);
    }
    await waitForAnswers(waiting, waits);
    this.#pings.clear();
    return rttsMs;
  }

  async send(to: readonly ProbeAddress[], train: number, plan: TrainPlan): Promise<number[]> {
    await pace(plan, (number) => {
      const target = inTurn(to, number);
      const bytes = plan.packetBytes - udpHeaderBytes(isIPv6(target.address));
      this.#sendTo(target, datagram(kinds.train, train, number, bytes));
    });
    return [plan.packets];
  }

  async collect(
    train: number,
    packets: number,
    { latestMs, idleMs }: { latestMs: number; idleMs: number },
  ): Promise<number[]> {
    const asked = performance.now();
    for (;;) {
      const arrivals = this.#arrivals.get(train) ?? [];
      const quietSince = Math.max(asked + latestMs, arrivals.at(-1) ?? 0);
      if (arrivals.length >= 2 * packets || performance.now() - quietSince > idleMs) {
        this.#arrivals.delete(train);
        return arrivals;
      }
      await sleep(10);
    }
  }

  #sendTo({ address, udpPort }: ProbeAddress, data: Buffer): void {
    this.#sockets[isIPv6(address) ? 'ipv6' : 'ipv4']?.send(data, udpPort, address);
  }

  #receive(socket: Socket, data: Buffer, from: RemoteInfo): void {
    const atMs = performance.now();
    if (data.length < fixedBytes) return;
    const number = data.readUInt32BE(5);
    switch (data.readUInt8(0)) {
      case kinds.ping:
        socket.send(datagram(kinds.pong, 0, number, data.length), from.port, from.address);
        return;
      case kinds.pong:
        this.#pings.get(number)?.(atMs);
        this.#pings.delete(number);
        return;
      case kinds.train: {
        const train = data.readUInt32BE(1);
        const arrivals = this.#arrivals.get(train);
        if (arrivals === undefined) this.#arrivals.set(train, [number, atMs]);
        else arrivals.push(number, atMs);
      }
    }
  }
}

function datagram(kind: number, train: number, number: number, bytes: number): Buffer {
  const data = Buffer.alloc(bytes);
  data.writeUInt8(kind, 0);
  data.writeUInt32BE(train, 1);
  data.writeUInt32BE(number, 5);
  return data;
}

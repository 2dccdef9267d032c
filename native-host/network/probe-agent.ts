import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProbeAnswer, ProbeCommand } from './probe-protocol.ts';
import { headerBytes } from './probe-plan.ts';

/** First byte of a datagram, followed by the train's and the datagram's own number, 32 bits each. */
const kinds = { ping: 1, pong: 2, train: 3 } as const;
const fixedBytes = 9;

/**
 * One end of the probe: a UDP socket that answers pings, sends trains and notes when trains arrive.
 * Runs in a process inside the namespace whose end of the path it is.
 */
class ProbeAgent {
  readonly #socket: Socket = createSocket('udp4');
  readonly #arrivals = new Map<number, number[]>();
  readonly #pings = new Map<number, (atMs: number) => void>();

  constructor() {
    this.#socket.on('message', (data, from) => {
      this.#receive(data, from);
    });
  }

  async perform(command: ProbeCommand): Promise<number[]> {
    switch (command.do) {
      case 'bind':
        return this.#bind(command.address);
      case 'ping':
        return this.#ping(command);
      case 'send':
        return this.#send(command);
      case 'collect':
        return this.#collect(command);
    }
  }

  #bind(address: string): Promise<number[]> {
    return new Promise((resolve, reject) => {
      this.#socket.once('error', reject);
      this.#socket.bind(0, address, () => {
        resolve([this.#socket.address().port]);
      });
    });
  }

  /** Pings overlap, so that twenty take little longer than one even on a slow path. */
  async #ping({
    to,
    count,
    intervalMs,
    timeoutMs,
  }: Extract<ProbeCommand, { do: 'ping' }>): Promise<number[]> {
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
      this.#socket.send(datagram(kinds.ping, 0, number, fixedBytes), to.port, to.address);
      waiting.push(answered);
    }
    await Promise.race([Promise.all(waiting), sleep(timeoutMs)]);
    this.#pings.clear();
    return rttsMs;
  }

  async #send(command: Extract<ProbeCommand, { do: 'send' }>): Promise<number[]> {
    const { to, train, packets, head, packetBytes, packetsPerSecond } = command;
    const start = performance.now();
    for (let sent = 0; sent < packets;) {
      const due = Math.min(
        packets,
        head + Math.floor(((performance.now() - start) / 1000) * packetsPerSecond),
      );
      for (; sent < due; sent++) {
        this.#socket.send(datagram(kinds.train, train, sent, packetBytes - headerBytes), to.port, to.address);
      }
      await sleep(1);
    }
    return [packets];
  }

  async #collect({ train, packets, idleMs }: Extract<ProbeCommand, { do: 'collect' }>): Promise<number[]> {
    const asked = performance.now();
    for (;;) {
      const arrivals = this.#arrivals.get(train) ?? [];
      const quietSince = Math.max(asked, arrivals.at(-1) ?? 0);
      if (arrivals.length >= packets || performance.now() - quietSince > idleMs) {
        this.#arrivals.delete(train);
        return arrivals;
      }
      await sleep(10);
    }
  }

  #receive(data: Buffer, from: RemoteInfo): void {
    const atMs = performance.now();
    if (data.length < fixedBytes) return;
    const number = data.readUInt32BE(5);
    switch (data.readUInt8(0)) {
      case kinds.ping:
        this.#socket.send(datagram(kinds.pong, 0, number, fixedBytes), from.port, from.address);
        return;
      case kinds.pong:
        this.#pings.get(number)?.(atMs);
        this.#pings.delete(number);
        return;
      case kinds.train: {
        const train = data.readUInt32BE(1);
        const arrivals = this.#arrivals.get(train);
        if (arrivals === undefined) this.#arrivals.set(train, [atMs]);
        else arrivals.push(atMs);
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

/** Serves commands until the input ends. */
export async function runProbeAgent(input: Readable, output: Writable): Promise<void> {
  const agent = new ProbeAgent();
  for await (const line of createInterface({ input })) {
    // The other end of the pipe is our own parent, of the same build.
    const command = JSON.parse(line) as ProbeCommand;
    void agent.perform(command).then((values) => {
      const answer: ProbeAnswer = { id: command.id, values };
      output.write(`${JSON.stringify(answer)}\n`);
    });
  }
}

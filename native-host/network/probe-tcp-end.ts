import { connect, createServer, isIPv6, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { inTurn } from './in-turn.ts';
import { pace } from './pace.ts';
import { tcpHeaderBytes } from './probe-plan.ts';
import type { PingPlan, ProbeAddress, ProbeCommand } from './probe-protocol.ts';
import { waitForAnswers } from './wait-for-answers.ts';

/** The probe's TCP connections, own and taken. What is received is thrown away. */
export class ProbeTcpEnd {
  /** Own ones that nothing was sent on yet. */
  readonly #unused: Socket[] = [];
  /** Taken ones on which nothing has come yet. */
  readonly #idle = new Set<Socket>();
  readonly #used = new Set<Socket>();

  /** @returns the port */
  listen(address: string): Promise<number> {
    const server = createServer({ noDelay: true }, (socket) => {
      socket.on('error', () => undefined);
      this.#idle.add(socket);
      socket.once('data', () => {
        this.#idle.delete(socket);
        this.#used.add(socket);
      });
      socket.once('close', () => {
        this.#idle.delete(socket);
        this.#used.delete(socket);
      });
      socket.resume();
    });
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, address, () => {
        resolve((server.address() as AddressInfo).port);
      });
    });
  }

  /** A connection is open to its client when the SYN-ACK is there, so no program of the far end takes part. */
  async handshake({ to, count, intervalMs, ...waits }: PingPlan): Promise<number[]> {
    const timesMs: number[] = [];
    const waiting: Promise<void>[] = [];
    const sockets: Socket[] = [];
    for (let number = 0; number < count; number++) {
      if (number > 0) await sleep(intervalMs);
      const start = performance.now();
      const socket = openTo(inTurn(to, number));
      sockets.push(socket);
      waiting.push(
        new Promise((resolve) => {
          socket.once('connect', () => {
            timesMs.push(performance.now() - start);
            socket.resetAndDestroy();
            resolve();
          });
        }),
      );
    }
    await waitForAnswers(waiting, waits);
    for (const socket of sockets) socket.destroy();
    return timesMs;
  }

  /**
   * Opens some more than are asked for, so that a lost SYN, sent again only after a second, need not be waited for.
   * @returns how many are open: all that are
   */
  async connect({
    to,
    connections,
    spare,
    perSecond,
    timeoutMs,
  }: Extract<ProbeCommand, { do: 'connect' }>): Promise<number[]> {
    const open: Socket[] = [];
    const pending = new Set<Socket>();
    const answers: Promise<void>[] = [];
    await pace({ packets: connections + spare, head: 1, packetsPerSecond: perSecond }, (number) => {
      if (open.length >= connections) return;
      const socket = openTo(inTurn(to, number));
      pending.add(socket);
      answers.push(
        new Promise((resolve) => {
          socket.once('connect', () => {
            pending.delete(socket);
            open.push(socket);
            resolve();
          });
        }),
      );
    });
    // Those to spare too: an answer that nobody waits for comes into the way of the next train.
    await Promise.race([Promise.all(answers), sleep(timeoutMs)]);
    for (const socket of pending) socket.destroy();
    this.#unused.push(...open);
    return [open.length];
  }

  /**
   * Every packet is a write of its own, and every connection carries but its share, which fits into the initial
   * window of ten segments (RFC 6928): so the train leaves as paced, whatever is lost of it.
   */
  async stream({ plan, connections }: Extract<ProbeCommand, { do: 'stream' }>): Promise<number[]> {
    const { packets, packetBytes } = plan;
    const sockets = this.#unused.splice(0, connections);
    for (const socket of sockets) this.#used.add(socket);
    await pace(plan, (number) => {
      const socket = sockets[Math.floor((number * sockets.length) / packets)];
      if (socket === undefined) return;
      const headers = tcpHeaderBytes(socket.remoteFamily === 'IPv6');
      socket.write(Buffer.alloc(packetBytes - headers));
    });
    return [packets];
  }

  /**
   * By a reset: nothing is sent again after it. From both ends at once, since what is still under way to an end that does not
   * know yet would be answered, and its answer too.
   */
  async hangUp({ all, perSecond }: Extract<ProbeCommand, { do: 'hang-up' }>): Promise<number[]> {
    const sockets = [...this.#used, ...(all ? [...this.#unused.splice(0), ...this.#idle] : [])];
    this.#used.clear();
    await pace({ packets: sockets.length, head: 1, packetsPerSecond: perSecond }, (number) => {
      sockets[number]?.resetAndDestroy();
    });
    return [];
  }
}

function openTo({ address, tcpPort }: ProbeAddress): Socket {
  const socket = connect({ host: address, port: tcpPort, family: isIPv6(address) ? 6 : 4, noDelay: true });
  // A connection that fails is one that does not open, and counted as such.
  socket.on('error', () => undefined);
  socket.resume();
  return socket;
}

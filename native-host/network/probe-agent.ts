import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { NamespaceCounters } from './namespace-counters.ts';
import { ProbeTcpEnd } from './probe-tcp-end.ts';
import { ProbeUdpEnd } from './probe-udp-end.ts';
import type { ProbeAnswer, ProbeCommand } from './probe-protocol.ts';

/**
 * One end of the probe: answers pings, opens and takes connections, sends trains and notes when trains arrive.
 * Runs in a process inside the namespace whose end of the path it is.
 */
class ProbeAgent {
  readonly #udp = new ProbeUdpEnd();
  readonly #tcp = new ProbeTcpEnd();
  readonly #counters = new NamespaceCounters();

  async perform(command: ProbeCommand): Promise<number[]> {
    switch (command.do) {
      case 'bind':
        return this.#bind(command.addresses);
      case 'ping':
        return this.#udp.ping(command);
      case 'handshake':
        return this.#tcp.handshake(command);
      case 'send':
        return this.#udp.send(command.to, command.train, command.plan);
      case 'collect':
        return this.#udp.collect(command.train, command.packets, command);
      case 'connect':
        return this.#tcp.connect(command);
      case 'stream':
        return this.#tcp.stream(command);
      case 'hang-up':
        return this.#tcp.hangUp(command);
      case 'count-segments':
        return this.#counters.segments();
      case 'watch':
        return this.#counters.watch(command);
    }
  }

  async #bind(addresses: readonly string[]): Promise<number[]> {
    const ports: number[] = [];
    for (const address of addresses) {
      ports.push(await this.#udp.bind(address), await this.#tcp.listen(address));
    }
    return ports;
  }
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

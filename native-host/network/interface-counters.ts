import { closeSync, openSync, readSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const ethernetHeaderBytes = 14;

interface Counts {
  receivedPackets: number;
  receivedIpBytes: number;
  sentPackets: number;
}

/**
 * What the interfaces of this process's network namespace have carried, the loopback left out: every packet, whatever
 * its protocol, also those that TCP sends again or drops. All are taken for Ethernet. proc(5), /proc/net/dev.
 */
export class InterfaceCounters {
  readonly #buffer = Buffer.alloc(16_384);

  /** @returns packets received, packets sent */
  count(): Promise<number[]> {
    const { receivedPackets, sentPackets } = this.#read();
    return Promise.resolve([receivedPackets, sentPackets]);
  }

  /** @returns time, ms, and IP bytes received so far, whenever there were more */
  async watch(forMs: number): Promise<number[]> {
    const start = performance.now();
    const seen: number[] = [];
    for (let atMs = start; atMs - start < forMs; atMs = performance.now()) {
      const { receivedIpBytes } = this.#read();
      if (seen.at(-1) !== receivedIpBytes) seen.push(atMs, receivedIpBytes);
      await sleep(1);
    }
    return seen;
  }

  #read(): Counts {
    // Opened anew each time: the file is made when it is opened.
    const file = openSync('/proc/self/net/dev', 'r');
    try {
      return parseInterfaceCounts(this.#buffer.toString('latin1', 0, readSync(file, this.#buffer)));
    } finally {
      closeSync(file);
    }
  }
}

/** @param text of /proc/net/dev: two header lines, then a line an interface; no interface counts as none carried */
export function parseInterfaceCounts(text: string): Counts {
  const counts = { receivedPackets: 0, receivedIpBytes: 0, sentPackets: 0 };
  for (const line of text.split('\n')) {
    const [, name, values] = /^\s*([^:\s]+):(.*)$/.exec(line) ?? [];
    if (name === undefined || values === undefined || name === 'lo') continue;
    const columns = values.trim().split(/\s+/).map(Number);
    const [receivedBytes = 0, receivedPackets = 0] = columns;
    counts.receivedPackets += receivedPackets;
    counts.receivedIpBytes += receivedBytes - receivedPackets * ethernetHeaderBytes;
    counts.sentPackets += columns[9] ?? 0;
  }
  return counts;
}

import { closeSync, openSync, readSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const ethernetHeaderBytes = 14;

/** What this process's network namespace has carried. Source: proc(5). */
export class NamespaceCounters {
  readonly #buffer = Buffer.alloc(16_384);

  /** @returns TCP segments received and sent, of both families, acknowledgements and those sent again too */
  segments(): Promise<number[]> {
    const { received, sent } = parseSegmentCounts(
      this.#read('/proc/self/net/snmp') + this.#read('/proc/self/net/netstat'),
    );
    return Promise.resolve([received, sent]);
  }

  /** @returns time, ms, and IP bytes received by interfaces so far, whenever there were more */
  async watch({ afterMs, forMs }: { afterMs: number; forMs: number }): Promise<number[]> {
    await sleep(afterMs);
    const start = performance.now();
    const seen: number[] = [];
    for (let atMs = start; atMs - start < forMs; atMs = performance.now()) {
      const receivedIpBytes = parseReceivedBytes(this.#read('/proc/self/net/dev'));
      if (seen.at(-1) !== receivedIpBytes) seen.push(atMs, receivedIpBytes);
      await sleep(1);
    }
    return seen;
  }

  #read(name: string): string {
    // Opened anew each time: the file is made when it is opened.
    const file = openSync(name, 'r');
    try {
      return this.#buffer.toString('latin1', 0, readSync(file, this.#buffer));
    } finally {
      closeSync(file);
    }
  }
}

/**
 * IP bytes received by all interfaces but the loopback, which are taken for Ethernet.
 * @param text of /proc/net/dev: two header lines, then a line an interface; no interface counts as nothing received
 */
export function parseReceivedBytes(text: string): number {
  let ipBytes = 0;
  for (const line of text.split('\n')) {
    const [, name, values] = /^\s*([^:\s]+):(.*)$/.exec(line) ?? [];
    if (name === undefined || values === undefined || name === 'lo') continue;
    const [bytes = 0, packets = 0] = values.trim().split(/\s+/).map(Number);
    ipBytes += bytes - packets * ethernetHeaderBytes;
  }
  return ipBytes;
}

/**
 * TCP segments of either family. A SYN that is sent again is left out.
 * @param text of /proc/net/snmp and /proc/net/netstat: for each protocol a line of names, then one of values
 * @throws RangeError where it has none of TCP
 */
export function parseSegmentCounts(text: string): { received: number; sent: number } {
  const valueOf = (protocol: string, name: string): number => {
    const [names = [], values = []] = text
      .split('\n')
      .filter((line) => line.startsWith(`${protocol}:`))
      .map((line) => line.trim().split(' '));
    const value = Number(values[names.indexOf(name)]);
    if (Number.isNaN(value)) throw new RangeError(`/proc/net/snmp and netstat have no ${name}.`);
    return value;
  };
  // OutSegs leaves out what is sent again (RFC 4022), but in Linux not the answer to a SYN: that is in both counts.
  const again = valueOf('Tcp', 'RetransSegs') - valueOf('TcpExt', 'TCPSynRetrans');
  return { received: valueOf('Tcp', 'InSegs'), sent: valueOf('Tcp', 'OutSegs') + again };
}

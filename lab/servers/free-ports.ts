import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { TowlineError } from '../../shared/errors/towline-error.ts';

const tries = 20;
const highestPort = 65_535;

/**
 * So many ports in a row, each free for TCP and UDP on all of the addresses: HTTP/1.1 and 2 need the one, HTTP/3 the
 * other.
 * @param first of them; 0 for any that will do
 * @throws TowlineError `server-failed` where one is taken
 */
export async function freePorts(
  first: number,
  count: number,
  addresses: readonly string[],
): Promise<number[]> {
  if (first !== 0) {
    const ports = inARow(first, count);
    const taken = await takenOf(ports, addresses);
    if (taken === null) return ports;
    throw new TowlineError('server-failed', 'lab', `Port ${taken} is taken by another program.`, {
      remedy: `Choose another: towline lab serve --port ${taken + 1}.`,
    });
  }
  for (let attempt = 0; attempt < tries; attempt++) {
    const ports = inARow((await listenOnTcp(0, '127.0.0.1')) ?? highestPort, count);
    if ((await takenOf(ports, addresses)) === null) return ports;
  }
  throw new TowlineError('server-failed', 'lab', 'No free port was found on the loopback.');
}

function inARow(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}

async function takenOf(ports: readonly number[], addresses: readonly string[]): Promise<number | null> {
  for (const port of ports) {
    if (port > highestPort) return port;
    for (const address of addresses) {
      if ((await listenOnTcp(port, address)) === null || !(await bindUdp(port, address))) return port;
    }
  }
  return null;
}

/** @returns the port, or null where it cannot be had */
function listenOnTcp(port: number, address: string): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => {
      resolve(null);
    });
    server.listen(port, address, () => {
      const bound = server.address();
      server.close(() => {
        resolve(bound !== null && typeof bound === 'object' ? bound.port : null);
      });
    });
  });
}

function bindUdp(port: number, address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
    socket.once('error', () => {
      socket.close();
      resolve(false);
    });
    socket.bind(port, address, () => {
      socket.close(() => {
        resolve(true);
      });
    });
  });
}

import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import type { Direction } from '../../../../../native-host/wire/stream-sink.ts';

/** A piece of a TCP connection as it passed the proxy. */
export interface Passed {
  readonly direction: Direction;
  readonly bytes: Uint8Array;
}

/** A TCP relay on loopback that keeps what passes it, in order: real bytes for the readers. */
export class RecordingProxy {
  readonly passed: Passed[] = [];
  readonly #server: Server;

  constructor(targetPort: number) {
    this.#server = createServer((client) => {
      const target = connect(targetPort, '127.0.0.1');
      client.on('data', (bytes: Buffer) => this.passed.push({ direction: 'up', bytes }));
      target.on('data', (bytes: Buffer) => this.passed.push({ direction: 'down', bytes }));
      client.pipe(target).pipe(client);
    });
  }

  async listen(): Promise<number> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

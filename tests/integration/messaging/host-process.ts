import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { endianness } from 'node:os';
import * as v from 'valibot';
import {
  HostMessageSchema,
  protocolVersion,
  type HostMessage,
} from '../../../shared/messages/host-protocol.ts';

/** A message with its length in front, put together without the host's own code. */
export function frame(message: unknown): Buffer {
  const body = Buffer.isBuffer(message) ? message : Buffer.from(JSON.stringify(message));
  return Buffer.concat([header(body.length), body]);
}

export function header(bytes: number): Buffer {
  const buffer = Buffer.alloc(4);
  new DataView(buffer.buffer, buffer.byteOffset).setUint32(0, bytes, endianness() === 'LE');
  return buffer;
}

export const hello = { type: 'hello', requestId: 'hello', protocolVersion, extensionVersion: '0.1.0' };

/** A real host process, spoken to as a browser does. */
export class HostProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  #received = Buffer.alloc(0);
  #wake: () => void = () => undefined;

  /** @param enter argument array to put before it, to run it in another namespace */
  constructor(mainFile: string, stateHome: string, enter: readonly string[] = []) {
    const command = [...enter, process.execPath, mainFile, 'chrome-extension://test/'];
    this.#child = spawn(command[0] ?? '', command.slice(1), {
      env: { ...process.env, XDG_STATE_HOME: stateHome },
    });
    this.#child.stdin.on('error', () => undefined);
    this.#child.stdout.on('data', (bytes: Buffer) => {
      this.#received = Buffer.concat([this.#received, bytes]);
      this.#wake();
    });
    this.#child.stdout.on('end', () => {
      this.#wake();
    });
  }

  /** Gives bytes to the host, and waits until the pipe has taken them. */
  async write(bytes: Buffer): Promise<void> {
    await new Promise<void>((resolve) =>
      this.#child.stdin.write(bytes, () => {
        resolve();
      }),
    );
  }

  async ask(message: unknown): Promise<HostMessage> {
    await this.write(frame(message));
    return await this.next();
  }

  /** The next message: whatever else came on standard output would be no frame, or no message. */
  async next(): Promise<HostMessage> {
    for (;;) {
      const message = this.#take();
      if (message) return message;
      if (this.#child.stdout.readableEnded) throw new Error('The host has ended without an answer.');
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /** The next message of one kind; those before it are passed over. */
  async until<T extends HostMessage['type']>(
    type: T,
    wanted: (message: Extract<HostMessage, { type: T }>) => boolean = () => true,
  ): Promise<Extract<HostMessage, { type: T }>> {
    for (;;) {
      const message = (await this.next()) as Extract<HostMessage, { type: T }>;
      if (message.type === type && wanted(message)) return message;
    }
  }

  /** Closes the port as a browser does. @returns the exit status */
  async close(): Promise<number | null> {
    this.#child.stdin.end();
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'exit');
    return this.#child.exitCode;
  }

  async kill(): Promise<void> {
    const ended = this.#child.exitCode !== null || this.#child.signalCode !== null;
    if (ended) return;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
  }

  #take(): HostMessage | null {
    if (this.#received.length < 4) return null;
    const view = new DataView(this.#received.buffer, this.#received.byteOffset);
    const end = 4 + view.getUint32(0, endianness() === 'LE');
    if (this.#received.length < end) return null;
    const body = this.#received.subarray(4, end).toString();
    this.#received = this.#received.subarray(end);
    return v.parse(HostMessageSchema, JSON.parse(body));
  }
}

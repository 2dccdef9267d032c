import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { HostMessage } from '../../shared/messages/host-protocol.ts';
import { encodeFrame } from './frame-codec.ts';

/** Sends messages to the browser, each whole and in the order given, no faster than it reads them. */
export class FrameWriter {
  readonly #output: Writable;
  #turn: Promise<void> = Promise.resolve();

  constructor(output: Writable) {
    this.#output = output;
  }

  /** @throws TowlineError `message-too-large`; and what the stream says once the browser has closed it */
  async send(message: HostMessage): Promise<void> {
    const frame = encodeFrame(message);
    const sent = this.#turn.then(async () => {
      if (!this.#output.write(frame)) await once(this.#output, 'drain');
    });
    this.#turn = sent.catch(() => undefined);
    await sent;
  }
}

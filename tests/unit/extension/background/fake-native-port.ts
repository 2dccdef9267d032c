import type { HostRequest } from '../../../../shared/messages/host-protocol.ts';
import type { NativePort } from '../../../../extension/platform/native-port.ts';

/** The browser's end of a native connection, played by a test. */
export class FakeNativePort implements NativePort {
  readonly sent: HostRequest[] = [];
  closed = false;
  #onMessage: (message: unknown) => void = () => undefined;
  #onClose: (reason: string | null) => void = () => undefined;
  readonly #answer: (request: HostRequest, port: FakeNativePort) => void;

  /** `answer` plays the host: it is called with each request, after the sender has gone on. */
  constructor(answer: (request: HostRequest, port: FakeNativePort) => void = () => undefined) {
    this.#answer = answer;
  }

  post(message: unknown): void {
    const request = message as HostRequest;
    this.sent.push(request);
    queueMicrotask(() => {
      this.#answer(request, this);
    });
  }

  onMessage(listener: (message: unknown) => void): void {
    this.#onMessage = listener;
  }

  onClose(listener: (reason: string | null) => void): void {
    this.#onClose = listener;
  }

  close(): void {
    this.closed = true;
  }

  /** The host says something. */
  say(message: unknown): void {
    this.#onMessage(message);
  }

  /** The host's process is gone. */
  die(reason: string | null): void {
    this.#onClose(reason);
  }
}

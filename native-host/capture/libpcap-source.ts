import { setTimeout as sleep } from 'node:timers/promises';
import { captureError } from './capture-error.ts';
import { loadLibpcapBinding, type LibpcapSession } from './libpcap-binding.ts';
import type { CaptureOptions, CaptureStats, OnPacket, PacketSource } from './packet-source.ts';

/**
 * libpcap hands packets over at the latest after this, and they are fetched as often. Short, since a trial's end
 * waits for it. The times of packets are the kernel's: they do not depend on it.
 */
const usualHoldMs = 10;

/** Holds a quarter of a second at 1 Gbit/s while JavaScript is busy elsewhere. */
const bufferSizeBytes = 32 * 1024 * 1024;

/**
 * How many times as long a stop waits for packets that the kernel counted and that never come: those caught before
 * the filter was set, and on loopback the outgoing half of each packet. Far above the time-out after which libpcap
 * has handed over all there is.
 */
const drainWaits = 5;

/** node-pcap names some link types and numbers the rest. */
const linkTypeNumbers: Readonly<Record<string, number>> = {
  LINKTYPE_NULL: 0,
  LINKTYPE_ETHERNET: 1,
  LINKTYPE_RAW: 101,
  LINKTYPE_LINUX_SLL: 113,
  LINKTYPE_IEEE802_11_RADIO: 127,
};

/** Captures with libpcap inside this process, by node-pcap's addon. */
export class LibpcapSource implements PacketSource {
  readonly kind = 'libpcap';
  readonly linkType: number;
  readonly #interfaceName: string;
  readonly #onPacket: OnPacket;
  readonly #holdMs: number;
  readonly #session: LibpcapSession;
  readonly #frame: Buffer;
  /** The four words of {@link LibpcapSession.dispatch}, in the machine's byte order as the typed array is. */
  readonly #header = new Uint32Array(4);
  readonly #headerBytes = Buffer.from(this.#header.buffer);
  #timer: NodeJS.Timeout | null = null;
  #packets = 0;
  #state: 'open' | 'broken' | 'closed' = 'open';

  private constructor(options: CaptureOptions) {
    this.#interfaceName = options.interface;
    this.#onPacket = options.onPacket;
    this.#holdMs = options.holdMs ?? usualHoldMs;
    this.#frame = Buffer.alloc(options.snapLength);
    this.#session = new (loadLibpcapBinding().PcapSession)();
    this.linkType = this.#open(options);
  }

  /**
   * Opens the capture; the kernel gathers packets from here on.
   *
   * @throws TowlineError `permission-denied`, `capture-failed`; Error when the addon was not built
   */
  static open(options: CaptureOptions): LibpcapSource {
    return new LibpcapSource(options);
  }

  start(): void {
    this.#timer ??= setInterval(() => {
      this.#read();
    }, this.#holdMs);
  }

  async lost(): Promise<number> {
    await Promise.resolve();
    this.#read();
    if (this.#state !== 'open') throw this.#brokeOff();
    const { ps_drop: byKernel, ps_ifdrop: byInterface } = this.#session.stats();
    return byKernel + byInterface;
  }

  async stop(): Promise<CaptureStats> {
    try {
      return await this.#drain();
    } finally {
      this.#close();
    }
  }

  #open({ interface: device, filter, snapLength }: CaptureOptions): number {
    const ignoreWarning = () => {
      // Only "no IPv4 address assigned", which matters to filters on broadcasts.
    };
    try {
      const name = this.#session.open_live(
        device,
        filter,
        bufferSizeBytes,
        snapLength,
        '',
        () => {
          this.#take();
        },
        false,
        this.#holdMs,
        ignoreWarning,
        false,
      );
      return linkTypeNumbers[name] ?? Number(/\d+$/.exec(name)?.[0] ?? NaN);
    } catch (error) {
      throw captureError(device, error instanceof Error ? error.message : String(error), error);
    }
  }

  #take(): void {
    const [seconds = 0, microseconds = 0, capturedLength = 0, originalLength = 0] = this.#header;
    this.#packets += 1;
    this.#onPacket(this.#frame.subarray(0, capturedLength), seconds, microseconds * 1000, originalLength);
  }

  #read(): void {
    if (this.#state === 'open' && this.#session.dispatch(this.#frame, this.#headerBytes) === -1) {
      this.#state = 'broken';
    }
  }

  async #drain(): Promise<CaptureStats> {
    if (this.#state === 'open') {
      const counted = this.#session.stats().ps_recv;
      for (let waits = 0; waits < drainWaits; waits += 1) {
        this.#read();
        if (this.#packets >= counted) break;
        await sleep(this.#holdMs);
      }
      this.#read();
    }
    if (this.#state !== 'open') throw this.#brokeOff();
    const { ps_drop: droppedByKernel, ps_ifdrop: droppedByInterface } = this.#session.stats();
    return { packets: this.#packets, droppedByKernel, droppedByInterface };
  }

  /**
   * libpcap closes a handle that is not blocking only when it next reads a packet. Until then, or until the end of
   * the process, which this does not hold up, the kernel keeps filling its buffer.
   */
  #close(): void {
    this.#state = 'closed';
    if (this.#timer) clearInterval(this.#timer);
    this.#session.close();
    const timer = setInterval(() => {
      if (this.#session.dispatch(this.#frame, this.#headerBytes) < 0) clearInterval(timer);
    }, this.#holdMs);
    timer.unref();
  }

  #brokeOff(): Error {
    return captureError(this.#interfaceName, 'the interface went away during the capture');
  }
}

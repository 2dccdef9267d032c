import type { Capture } from '../../shared/record/trial.ts';
import type { Wire } from '../../shared/record/wire.ts';
import { reportOf } from '../../shared/errors/towline-error.ts';
import { openPacketSource } from '../capture/open-packet-source.ts';
import type { OnPacket, PacketSource } from '../capture/packet-source.ts';
import { PcapWriter } from '../capture/pcap-writer.ts';
import { WireAnalyzer } from '../wire/analyzer.ts';
import type { PageDescription } from '../wire/page.ts';
import type { TrialRequest } from './trial-request.ts';

/** Whole packets are kept: decryption needs every byte. Above 64 KiB for what segmentation offload merges. */
const snapLength = 262_144;

type CaptureAsked = NonNullable<TrialRequest['capture']>;

interface Running {
  /** What comes before the load is not looked at, where it would be mistaken for it. */
  heeds: boolean;
  source: PacketSource;
  analyzer: WireAnalyzer;
  writer: PcapWriter | null;
}

/**
 * The packets of one trial, read by the wire engine as they come. Where capture is not possible the trial
 * still runs, and `missing` says why there is no Time on Wire.
 */
export class TrialCapture {
  readonly missing: string | null;
  readonly #running: Running | null;
  readonly #exclusive: boolean;
  #stopped: Promise<Capture | null> | null = null;

  private constructor(running: Running | null, exclusive: boolean, missing: string | null) {
    this.#running = running;
    this.#exclusive = exclusive;
    this.missing = missing;
  }

  /** Starts capturing; never throws for what is missing. */
  static async open(asked: CaptureAsked | null, pcapFile: string | null): Promise<TrialCapture> {
    if (asked === null) return new TrialCapture(null, false, 'no capture was asked for');
    try {
      return new TrialCapture(await start(asked, pcapFile), asked.exclusive, null);
    } catch (error) {
      const { message, remedy } = reportOf(error, 'capture');
      return new TrialCapture(null, asked.exclusive, remedy === null ? message : `${message} ${remedy}`);
    }
  }

  /**
   * How long no web traffic has passed, ms. Where other programs use the interface too, silence
   * on it says nothing of the page: then this is Infinity, and the browser's own account decides.
   */
  quietForMs(): number {
    if (!this.#running || !this.#exclusive) return Infinity;
    const { lastFlowPacketMs } = this.#running.analyzer;
    return lastFlowPacketMs === null ? Infinity : Date.now() - lastFlowPacketMs;
  }

  /** The load is about to start. */
  beginLoad(): void {
    if (this.#running) this.#running.heeds = true;
  }

  /** More of the browser's TLS key log, as it grows: late keys would have packets wait for them. */
  addKeyLog(text: string): void {
    this.#running?.analyzer.addKeyLog(text);
  }

  /** Ends the capture; the second call gives what the first gave. */
  stop(): Promise<Capture | null> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  /** What the packets say of the page's requests, once stopped; null without capture. */
  analyse(
    requests: NonNullable<PageDescription['requests']>,
    clientPorts: readonly number[] | null,
  ): Wire | null {
    if (!this.#running) return null;
    return this.#running.analyzer.finish({
      requests,
      clientPorts,
      hosts: [...new Set(requests.map(({ url }) => new URL(url).hostname))],
    });
  }

  async #stop(): Promise<Capture | null> {
    if (!this.#running) return null;
    const { source, writer } = this.#running;
    const stats = await source.stop();
    writer?.close();
    return { source: source.kind, snapLength, ...stats };
  }
}

async function start(asked: CaptureAsked, pcapFile: string | null): Promise<Running> {
  let onPacket: OnPacket = () => undefined;
  const source = await openPacketSource({
    interface: asked.interface,
    filter: asked.filter,
    snapLength,
    onPacket: (...packet) => {
      onPacket(...packet);
    },
  });
  const { linkType } = source;
  const analyzer = new WireAnalyzer({ linkType, clientAddresses: asked.clientAddresses });
  const writer = pcapFile === null ? null : PcapWriter.open(pcapFile, { linkType, snapLength });
  const running: Running = { heeds: !asked.fromLoad, source, analyzer, writer };
  onPacket = (frame, seconds, nanoseconds, originalLength) => {
    if (!running.heeds) return;
    analyzer.push(frame, seconds, nanoseconds, originalLength);
    writer?.write(frame, seconds, nanoseconds, originalLength);
  };
  source.start();
  return running;
}

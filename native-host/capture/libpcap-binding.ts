import { createRequire } from 'node:module';

/** One capture handle of node-pcap's C++ side (node_modules/pcap/pcap_session.cc). */
export interface LibpcapSession {
  /**
   * Opens and activates. Throws Error with libpcap's words.
   *
   * @param bufferTimeoutMs how long libpcap may hold packets back to hand over many at once
   * @returns the name of the link type, or `Unknown linktype N`
   */
  open_live(
    device: string,
    filter: string,
    bufferSizeBytes: number,
    snapLength: number,
    dumpFile: string,
    onPacket: () => void,
    monitorMode: boolean,
    bufferTimeoutMs: number,
    onWarning: (text: string) => void,
    promiscuous: boolean,
  ): string;
  /**
   * Calls `onPacket` for each packet that is ready, with its bytes in `frame` and in `header` four 32-bit words:
   * seconds, microseconds, captured and original length.
   *
   * @returns 0 when no more was ready, -1 on an error, -2 when {@link close} was asked for and is now done: the
   *   session must not be used any more
   */
  dispatch(frame: Buffer, header: Buffer): number;
  stats(): { ps_recv: number; ps_drop: number; ps_ifdrop: number };
  /** Asks for the end; the next {@link dispatch} that meets a packet closes the handle. */
  close(): void;
}

interface LibpcapBinding {
  PcapSession: new () => LibpcapSession;
}

/**
 * node-pcap's addon without its JavaScript, and without its `start_polling`: that leaves a watcher in the event
 * loop, which holds the process open until the next packet comes, and lies in memory that is freed with the
 * session while the loop still points to it (3.1.0).
 *
 * @throws Error when it was not built
 */
export function loadLibpcapBinding(): LibpcapBinding {
  return createRequire(import.meta.url)('pcap/build/Release/pcap_binding') as LibpcapBinding;
}

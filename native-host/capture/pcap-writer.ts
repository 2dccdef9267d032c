import { closeSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { TowlineError } from '../../shared/errors/towline-error.ts';

/** Packets are gathered up to this before they go to the disk. */
const bufferBytes = 1024 * 1024;

/** pcap with nanoseconds (draft-ietf-opsawg-pcap). */
const magic = 0xa1b23c4d;
const fileHeaderBytes = 24;
const packetHeaderBytes = 16;

/**
 * Writes packets to a pcap file. `write` never throws, since it is called from within the capture: the first
 * failure ends the writing and is thrown by `close`.
 *
 * Writing is synchronous: with a queue, a disk slower than the network would fill the memory.
 */
export class PcapWriter {
  readonly #path: string;
  readonly #descriptor: number;
  readonly #buffer = Buffer.allocUnsafe(bufferBytes);
  #used = 0;
  #failure: unknown = null;
  #closed = false;

  private constructor(path: string, descriptor: number) {
    this.#path = path;
    this.#descriptor = descriptor;
  }

  /**
   * Creates or empties the file.
   *
   * @throws TowlineError `write-failed`, `permission-denied`
   */
  static open(path: string, { linkType, snapLength }: { linkType: number; snapLength: number }): PcapWriter {
    let descriptor;
    try {
      descriptor = openSync(path, 'w');
    } catch (error) {
      throw writeError(path, error);
    }
    const writer = new PcapWriter(path, descriptor);
    writer.#writeFileHeader(linkType, snapLength);
    return writer;
  }

  write(frame: Uint8Array, seconds: number, nanoseconds: number, originalLength: number): void {
    const packetBytes = packetHeaderBytes + frame.length;
    if (this.#used + packetBytes > bufferBytes) this.#flush();
    if (this.#failure !== null || this.#closed) return;
    if (packetBytes > bufferBytes) {
      this.#failure = new Error(`a frame of ${frame.length} bytes is longer than any link has`);
      return;
    }
    this.#used = this.#buffer.writeUInt32LE(seconds, this.#used);
    this.#used = this.#buffer.writeUInt32LE(nanoseconds, this.#used);
    this.#used = this.#buffer.writeUInt32LE(frame.length, this.#used);
    this.#used = this.#buffer.writeUInt32LE(originalLength, this.#used);
    this.#buffer.set(frame, this.#used);
    this.#used += frame.length;
  }

  /**
   * Writes what is left and closes the file; the second call does nothing.
   *
   * @throws TowlineError `disk-full`, `write-failed` when not every packet is in the file
   */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#flush();
    try {
      closeSync(this.#descriptor);
    } catch (error) {
      this.#failure ??= error;
    }
    if (this.#failure !== null) throw writeError(this.#path, this.#failure);
  }

  #writeFileHeader(linkType: number, snapLength: number): void {
    this.#buffer.fill(0, 0, fileHeaderBytes);
    this.#buffer.writeUInt32LE(magic, 0);
    this.#buffer.writeUInt16LE(2, 4);
    this.#buffer.writeUInt16LE(4, 6);
    this.#buffer.writeUInt32LE(snapLength, 16);
    this.#buffer.writeUInt32LE(linkType, 20);
    this.#used = fileHeaderBytes;
  }

  #flush(): void {
    try {
      for (let at = 0; at < this.#used && this.#failure === null;) {
        at += writeSync(this.#descriptor, this.#buffer, at, this.#used - at);
      }
    } catch (error) {
      this.#failure = error;
    }
    this.#used = 0;
  }
}

function writeError(path: string, cause: unknown): TowlineError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : null;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new TowlineError('disk-full', 'capture', `No space is left to write ${path}.`, {
      remedy: `Free some space on the disk of ${dirname(path)}; the file ends early and can still be read.`,
      cause,
    });
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new TowlineError('permission-denied', 'capture', `${path} may not be written.`, {
      remedy: `Make ${dirname(path)} writable for the user who runs Towline.`,
      cause,
    });
  }
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new TowlineError('write-failed', 'capture', `${path} could not be written: ${reason}`, {
    remedy: `See whether ${dirname(path)} exists and can be written.`,
    cause,
  });
}

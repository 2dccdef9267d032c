import { closeSync, createReadStream, fstatSync, openSync, readSync } from 'node:fs';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { TowlineError } from '../../shared/errors/towline-error.ts';
import { CaptureReader } from '../wire/capture-file/capture-reader.ts';
import type { CaptureSink } from '../wire/capture-file/capture-sink.ts';

/** Bytes asked of the file at a time. */
const pieceBytes = 1024 * 1024;

/**
 * Reads a capture file piece by piece: pcap or pcapng, gzip of either, a pipe, or `-` for standard input.
 *
 * @returns why it could be read in part only; null when it was read to its end
 * @throws TowlineError `file-not-found`, `permission-denied`, `not-a-capture`
 */
export async function readCaptureFile(file: string, sink: CaptureSink): Promise<string | null> {
  const reader = new CaptureReader(sink);
  if (file === '-') return readStream(process.stdin, 'Standard input', reader);
  const descriptor = open(file);
  try {
    const status = fstatSync(descriptor);
    if (status.isDirectory()) throw notACapture(file, 'is a directory');
    if (status.isFile() && status.size === 0) throw notACapture(file, 'is empty');
    if (status.isFile() && !isGzip(firstBytes(descriptor))) return readPlainFile(descriptor, file, reader);
    return await readStream(createReadStream(file, { fd: descriptor, autoClose: false }), file, reader);
  } finally {
    closeSync(descriptor);
  }
}

/** Into one buffer, over and over: nothing of it is kept. */
function readPlainFile(descriptor: number, file: string, reader: CaptureReader): string | null {
  const buffer = new Uint8Array(pieceBytes);
  for (let at = 0; reader.problem === null;) {
    const count = readSync(descriptor, buffer, 0, pieceBytes, at);
    if (count === 0) break;
    reader.push(buffer.subarray(0, count));
    at += count;
  }
  return outcome(file, reader);
}

async function readStream(stream: Readable, file: string, reader: CaptureReader): Promise<string | null> {
  try {
    for await (const piece of unpacked(stream)) {
      reader.push(piece);
      if (reader.problem !== null) break;
    }
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    if (!reader.recognised) throw notACapture(file, `cannot be read (${cause.message})`, cause);
    // A gzip file that breaks off still gives what came before.
    return `The file could be read in part only: ${cause.message}.`;
  }
  return outcome(file, reader);
}

/** The stream's bytes, unpacked when they begin like a gzip file. */
async function* unpacked(stream: Readable): AsyncGenerator<Uint8Array> {
  const pieces = stream[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  const first = await pieces.next();
  if (first.done === true) return;
  const all = restored(first.value, pieces);
  yield* isGzip(first.value) ? (Readable.from(all).pipe(createGunzip()) as AsyncIterable<Uint8Array>) : all;
}

/** What was taken off a stream for a look, and the rest. */
async function* restored(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

function outcome(file: string, reader: CaptureReader): string | null {
  reader.end();
  if (!reader.recognised) {
    throw notACapture(file, reader.isEmpty ? 'is empty' : 'is neither a pcap nor a pcapng file');
  }
  return reader.problem;
}

function open(file: string): number {
  try {
    return openSync(file, 'r');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : null;
    if (code === 'EACCES' || code === 'EPERM') {
      throw new TowlineError('permission-denied', 'wire', `${file} may not be read.`, {
        remedy: 'Ask its owner for the right to read it.',
        cause,
      });
    }
    throw new TowlineError('file-not-found', 'wire', `There is no file ${file} to analyse.`, {
      remedy: 'Name a pcap or pcapng file, or - for standard input.',
      cause,
    });
  }
}

function notACapture(file: string, why: string, cause?: unknown): TowlineError {
  return new TowlineError('not-a-capture', 'wire', `${file} ${why}.`, {
    remedy: 'Give a file written by tcpdump, Wireshark or "towline compare --pcap DIR".',
    cause,
  });
}

function firstBytes(descriptor: number): Uint8Array {
  const buffer = new Uint8Array(2);
  return buffer.subarray(0, readSync(descriptor, buffer, 0, 2, 0));
}

/** RFC 1952 section 2.3.1. */
function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

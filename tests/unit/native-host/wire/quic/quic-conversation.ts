import { readFile } from 'node:fs/promises';
import { KeyLog } from '../../../../../native-host/wire/keys/key-log.ts';
import { QuicConnection } from '../../../../../native-host/wire/quic/quic-connection.ts';
import type { Direction, QuicSink, Span } from '../../../../../native-host/wire/stream-sink.ts';

/** A conversation of aioquic with itself: see tests/fixtures/wire/make-quic-conversations.py. */
export interface QuicConversation {
  readonly keyLog: string;
  readonly datagrams: readonly { atMs: number; direction: Direction; path: number; bytes: Buffer }[];
}

export async function loadConversation(name: string): Promise<QuicConversation> {
  const file = new URL(`../../../../fixtures/wire/quic-${name}.json`, import.meta.url);
  const { keyLog, datagrams } = JSON.parse(await readFile(file, 'utf8')) as {
    keyLog: string;
    datagrams: { atMs: number; direction: Direction; path: number; base64: string }[];
  };
  return {
    keyLog,
    datagrams: datagrams.map(({ base64, ...rest }) => ({ ...rest, bytes: Buffer.from(base64, 'base64') })),
  };
}

/** What both sides of every conversation send: byte i of a stream is i * 7 mod 251. */
export function pattern(lengthBytes: number): Buffer {
  return Buffer.from(Array.from({ length: lengthBytes }, (_, index) => (index * 7) % 251));
}

/** Keeps everything a QUIC connection gives. */
export class RecordingQuicSink implements QuicSink {
  readonly packets: { direction: Direction; form: string; lengthBytes: number; atMs: number }[] = [];
  readonly pieces: { direction: Direction; streamId: number; offset: number; length: number; span: Span }[] =
    [];
  readonly resets: { direction: Direction; streamId: number; atMs: number }[] = [];
  readonly #streams = new Map<string, Buffer>();
  readonly #ended = new Set<string>();

  onPacket(direction: Direction, form: string, lengthBytes: number, atMs: number): void {
    this.packets.push({ direction, form, lengthBytes, atMs });
  }

  onStreamData(
    direction: Direction,
    streamId: number,
    offset: number,
    bytes: Uint8Array,
    fin: boolean,
    span: Span,
  ): void {
    const name = `${direction} ${streamId}`;
    const before = this.#streams.get(name) ?? Buffer.alloc(0);
    if (offset !== before.length)
      throw new Error(`Stream ${name} goes on at ${offset}, not ${before.length}.`);
    this.#streams.set(name, Buffer.concat([before, bytes]));
    if (fin) this.#ended.add(name);
    this.pieces.push({ direction, streamId, offset, length: bytes.length, span });
  }

  onStreamReset(direction: Direction, streamId: number, atMs: number): void {
    this.resets.push({ direction, streamId, atMs });
  }

  /** The stream's bytes, when its end was seen. */
  whole(direction: Direction, streamId: number): Buffer | null {
    const name = `${direction} ${streamId}`;
    return this.#ended.has(name) ? (this.#streams.get(name) ?? null) : null;
  }
}

export function read(
  { keyLog, datagrams }: QuicConversation,
  { keys = true }: { keys?: boolean } = {},
): { sink: RecordingQuicSink; connection: QuicConnection } {
  const log = new KeyLog();
  if (keys) log.add(keyLog);
  log.end();
  const sink = new RecordingQuicSink();
  const connection = new QuicConnection(keys ? log : null, sink);
  for (const { direction, bytes, atMs } of datagrams) connection.onDatagram(direction, bytes, atMs);
  connection.finish(datagrams.at(-1)?.atMs ?? 0);
  return { sink, connection };
}

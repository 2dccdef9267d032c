import type { Direction, Span, TlsSink } from '../../../../../native-host/wire/stream-sink.ts';

/** Keeps everything a TLS connection gives. */
export class RecordingSink implements TlsSink {
  readonly records: { direction: Direction; type: number; lengthBytes: number; span: Span }[] = [];
  readonly pieces: { direction: Direction; bytes: Buffer; span: Span }[] = [];
  readonly gaps: { direction: Direction; atMs: number; afterPieces: number }[] = [];

  onRecord(direction: Direction, type: number, lengthBytes: number, span: Span): void {
    this.records.push({ direction, type, lengthBytes, span });
  }

  onApplicationData(direction: Direction, plaintext: Uint8Array, span: Span): void {
    this.pieces.push({ direction, bytes: Buffer.from(plaintext), span });
  }

  onApplicationGap(direction: Direction, atMs: number): void {
    this.gaps.push({ direction, atMs, afterPieces: this.pieces.length });
  }

  data(direction: Direction): Buffer {
    return Buffer.concat(
      this.pieces.filter((piece) => piece.direction === direction).map(({ bytes }) => bytes),
    );
  }
}

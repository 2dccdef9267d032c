import type { Span } from '../stream-sink.ts';
import type { ResponseSegment } from './http-exchange.ts';

/** Segments kept of one response: a 4 MB response in single packets. Beyond it, pairs are merged. */
const maxSegments = 3000;

/** The segments of one response, in bounded memory. */
export class SegmentList {
  #segments: ResponseSegment[] = [];

  get all(): readonly ResponseSegment[] {
    return this.#segments;
  }

  add({ lastAtMs: arrivedAtMs, deliveredAtMs }: Span, bytes: number): void {
    const next = { arrivedAtMs, deliveredAtMs, bytes };
    const last = this.#segments.at(-1);
    if (last?.arrivedAtMs === arrivedAtMs && last.deliveredAtMs === deliveredAtMs) {
      this.#segments[this.#segments.length - 1] = merge(last, next);
      return;
    }
    this.#segments.push(next);
    if (this.#segments.length > maxSegments) this.#halve();
  }

  #halve(): void {
    const halved: ResponseSegment[] = [];
    for (let i = 0; i < this.#segments.length; i += 2) {
      const second = this.#segments[i + 1];
      halved.push(second ? merge(this.#segments[i]!, second) : this.#segments[i]!);
    }
    this.#segments = halved;
  }
}

function merge(a: ResponseSegment, b: ResponseSegment): ResponseSegment {
  return {
    arrivedAtMs: Math.max(a.arrivedAtMs, b.arrivedAtMs),
    deliveredAtMs: Math.max(a.deliveredAtMs, b.deliveredAtMs),
    bytes: a.bytes + b.bytes,
  };
}

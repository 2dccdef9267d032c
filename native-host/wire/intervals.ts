interface Interval {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A set of moments as stretches of time that do not touch, in order. */
export class Intervals {
  #intervals: Interval[] = [];

  get lengthMs(): number {
    return this.#intervals.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  }

  /** Nothing is added when it ends before it begins. */
  add(fromMs: number, toMs: number): void {
    if (!(toMs > fromMs)) return;
    // Mostly they come in order: behind the last one, or touching it.
    const last = this.#intervals.at(-1);
    if (last === undefined || fromMs > last.toMs) {
      this.#intervals.push({ fromMs, toMs });
      return;
    }
    if (fromMs >= last.fromMs) {
      this.#intervals[this.#intervals.length - 1] = { fromMs: last.fromMs, toMs: Math.max(last.toMs, toMs) };
      return;
    }
    const apart = this.#intervals.filter((i) => i.toMs < fromMs || i.fromMs > toMs);
    const touching = this.#intervals.filter((i) => i.toMs >= fromMs && i.fromMs <= toMs);
    apart.push({
      fromMs: Math.min(fromMs, ...touching.map((i) => i.fromMs)),
      toMs: Math.max(toMs, ...touching.map((i) => i.toMs)),
    });
    this.#intervals = apart.sort((a, b) => a.fromMs - b.fromMs);
  }

  with(other: Intervals): Intervals {
    const union = new Intervals();
    for (const { fromMs, toMs } of [...this.#intervals, ...other.#intervals]) union.add(fromMs, toMs);
    return union;
  }

  without(other: Intervals): Intervals {
    let left = this.#intervals;
    for (const { fromMs, toMs } of other.#intervals) {
      left = left.flatMap((i) =>
        [
          { fromMs: i.fromMs, toMs: Math.min(i.toMs, fromMs) },
          { fromMs: Math.max(i.fromMs, toMs), toMs: i.toMs },
        ].filter((part) => part.toMs > part.fromMs),
      );
    }
    const difference = new Intervals();
    difference.#intervals = left;
    return difference;
  }
}

/** One end of a connection. */
export interface Line {
  post(message: unknown): void;
  close(): void;
}

export interface LineEvents {
  onMessage: (message: unknown) => void;
  /** The other end has ended it, or was not there. Not called after {@link Line.close}. */
  onClose: () => void;
}

/** Where the other end has said nothing, the next try waits: first this long, then twice as long each time. */
const pauseMs = { first: 250, most: 10_000 } as const;

/**
 * A connection that is opened again whenever the other end has closed it: at once after one that brought something,
 * else ever later. A browser may refuse every try of a page that it is about to end, as fast as they come.
 */
export class KeptLine {
  readonly #open: (events: LineEvents) => Line;
  readonly #onMessage: (message: unknown) => void;
  #line: Line | null = null;
  #pauseMs = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(open: (events: LineEvents) => Line, onMessage: (message: unknown) => void) {
    this.#open = open;
    this.#onMessage = onMessage;
    this.wake();
  }

  /** Sends now, over a new connection if there is none. */
  send(message: unknown): void {
    (this.#line ?? this.#connect()).post(message);
  }

  /** Lets go of the connection until {@link wake} or {@link send}. */
  rest(): void {
    clearTimeout(this.#timer);
    this.#line?.close();
    this.#line = null;
  }

  /** Connects, if there is no connection. */
  wake(): void {
    if (this.#line === null) this.#connect();
  }

  #connect(): Line {
    clearTimeout(this.#timer);
    const line = this.#open({
      onMessage: (message) => {
        this.#pauseMs = 0;
        this.#onMessage(message);
      },
      onClose: () => {
        if (this.#line !== line) return;
        this.#line = null;
        this.#timer = setTimeout(() => {
          this.wake();
        }, this.#pauseMs);
        this.#pauseMs = Math.min(pauseMs.most, Math.max(pauseMs.first, 2 * this.#pauseMs));
      },
    });
    this.#line = line;
    return line;
  }
}

import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** A log grows to this size, then begins anew; the one before it is kept beside it. Bytes. */
const maxLogBytes = 256 * 1024;

/**
 * The host's log: standard output belongs to the browser, and standard error goes where nobody looks. Bounded,
 * readable by its owner only, and never a reason to fail.
 */
export class HostLog {
  readonly #path: string;
  readonly #maxBytes: number;

  constructor(path: string, maxBytes = maxLogBytes) {
    this.#path = path;
    this.#maxBytes = maxBytes;
  }

  write(line: string): void {
    try {
      mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
      if (this.#sizeBytes() > this.#maxBytes) renameSync(this.#path, `${this.#path}.1`);
      const text = `${new Date().toISOString()} ${process.pid} ${line.replaceAll('\n', ' ')}\n`;
      appendFileSync(this.#path, text, { mode: 0o600 });
    } catch {
      // A full disk must not end a conversation that can go on without a log.
    }
  }

  #sizeBytes(): number {
    return statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
  }
}

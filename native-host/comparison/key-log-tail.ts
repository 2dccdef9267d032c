import { open, type FileHandle } from 'node:fs/promises';

const intervalMs = 50;

/** Hands on what a browser appends to its TLS key log, as it appears. The file need not exist at first. */
export class KeyLogTail {
  readonly #path: string;
  readonly #onText: (text: string) => void;
  readonly #timer: NodeJS.Timeout;
  #file: FileHandle | null = null;
  #reading: Promise<void> = Promise.resolve();

  constructor(path: string, onText: (text: string) => void) {
    this.#path = path;
    this.#onText = onText;
    this.#timer = setInterval(() => {
      this.#reading = this.#reading.then(() => this.#readOn());
    }, intervalMs);
  }

  /** Reads to the end, then lets go of the file. No key log at all means that no TLS connection was made. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#reading;
    await this.#readOn();
    await this.#file?.close();
    this.#file = null;
  }

  async #readOn(): Promise<void> {
    try {
      this.#file ??= await open(this.#path, 'r');
      const text = await this.#file.readFile('utf8');
      if (text !== '') this.#onText(text);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

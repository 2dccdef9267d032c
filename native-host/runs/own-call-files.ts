import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { OwnAnswerSchema, OwnCallSchema } from '../../shared/messages/own-browser.ts';
import { ProcessIdentitySchema } from './process-identity.ts';
import { writeFileAtomically } from './write-file-atomically.ts';

const pid = ProcessIdentitySchema.entries.pid;

const schemas = {
  /** What the trial's process asks of the browser; the next one takes its place. */
  call: v.object({
    callId: v.string(),
    /** The browser that is asked: of two that run the same program, one. */
    browserPid: pid,
    /** The trial's process: when it has ended, nobody waits for an answer. */
    worker: ProcessIdentitySchema,
    call: OwnCallSchema,
  }),
  /** Which host has handed the call to the browser. When it has ended, no answer will come. */
  taken: v.object({ callId: v.string(), host: ProcessIdentitySchema }),
  answer: v.object({ callId: v.string(), answer: OwnAnswerSchema }),
} as const;
type Schemas = typeof schemas;
export type OwnCallFile<Name extends keyof Schemas> = v.InferOutput<Schemas[Name]>;

/**
 * How the process of a trial and the native-messaging host, which are no relatives, pass a call to the person's own
 * browser and its answer: by files in the run's directory, which is the person's alone (mode 0700). Each is replaced
 * as a whole, and checked by whoever reads it.
 */
export class OwnCallFiles {
  readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
  }

  async write<Name extends keyof Schemas>(name: Name, content: OwnCallFile<Name>): Promise<void> {
    await writeFileAtomically(this.#path(name), `${JSON.stringify(content)}\n`, {
      mode: 0o600,
      stage: 'comparison',
    });
  }

  /** @returns null when there is none yet. @throws where it is not what was agreed */
  async read<Name extends keyof Schemas>(name: Name): Promise<OwnCallFile<Name> | null> {
    let text: string;
    try {
      text = await readFile(this.#path(name), 'utf8');
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
      throw error;
    }
    return v.parse(schemas[name], JSON.parse(text));
  }

  #path(name: keyof Schemas): string {
    return join(this.directory, `own-${name}.json`);
  }
}

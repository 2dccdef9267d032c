import { writeFile } from 'node:fs/promises';
import { harFromMessages } from 'chrome-har';
import type { DebuggingEvent } from './network-log.ts';

/** Writes the load as a HAR 1.2 file. Errors of the file system pass through. */
export async function writeHar(path: string, events: readonly DebuggingEvent[]): Promise<void> {
  await writeFile(path, JSON.stringify(harFromMessages([...events]), null, 1));
}

import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { TowlineError } from '../../shared/errors/towline-error.ts';
import type { Keep } from '../comparison/engine-protocol.ts';

/** Makes the directories that are to hold HAR, pcap and key-log files. @throws TowlineError `write-failed` */
export function keepDirectories(asked: {
  har: string | undefined;
  pcap: string | undefined;
  keyLog: string | undefined;
}): Keep {
  return {
    har: make('--har', asked.har),
    pcap: make('--pcap', asked.pcap),
    keyLog: make('--keylog', asked.keyLog),
  };
}

function make(option: string, directory: string | undefined): string | null {
  if (directory === undefined) return null;
  const path = resolve(directory);
  try {
    mkdirSync(path, { recursive: true });
  } catch (cause) {
    throw new TowlineError('write-failed', 'arguments', `${option}: the directory ${path} cannot be made.`, {
      remedy: 'Name a directory you may write to.',
      cause,
    });
  }
  return path;
}

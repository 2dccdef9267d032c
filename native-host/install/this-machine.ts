import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { findTool } from '../network/find-tool.ts';
import { hasNetem } from '../network/has-netem.ts';
import { tryTool } from '../network/run-tool.ts';
import type { Machine } from './machine.ts';

/** The machine that this process runs on. */
export const thisMachine: Machine = {
  isRoot: process.getuid?.() === 0,
  nodeVersion: process.versions.node,
  find: findTool,
  run: (argv) => orNull(() => tryTool(argv)),
  read: (path) => orNullNow(() => readFileSync(path, 'utf8')),
  modeOf: (path) => orNullNow(() => statSync(path).mode & 0o777),
  mayUse: (path) =>
    orNullNow(() => {
      accessSync(path, constants.R_OK | constants.W_OK);
      return true;
    }) ?? false,
  loadCaptureAddon: async () => {
    try {
      await import('pcap');
      return null;
    } catch (error) {
      return error instanceof Error ? (error.message.split('\n')[0] ?? error.name) : String(error);
    }
  },
  // Without the programs to try it with there is no answer, and no netem that could be used.
  hasNetem: async () => (await orNull(hasNetem)) ?? false,
};

async function orNull<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch {
    return null;
  }
}

function orNullNow<T>(ask: () => T): T | null {
  try {
    return ask();
  } catch {
    return null;
  }
}

import { readlink } from 'node:fs/promises';

/**
 * Names the browser that started this host, so that it is told of its own runs only: two browsers may both have
 * the extension. The program tells them apart, not the process: a browser that was started again fetches what it
 * asked for before.
 *
 * @param args what the browser gave: Chrome its extension's origin, Firefox the manifest and its extension's id
 */
export async function clientName(args: readonly string[], browserPid: number): Promise<string> {
  const extension = args.find((arg) => arg.startsWith('chrome-extension://')) ?? args[1] ?? 'unknown';
  let program = 'unknown';
  try {
    // The kernel marks a program that was replaced by an update while it runs.
    program = (await readlink(`/proc/${browserPid}/exe`)).replace(/ \(deleted\)$/, '');
  } catch {
    // Gone already, or of another user: the extension's name remains.
  }
  return `${program} ${extension}`;
}

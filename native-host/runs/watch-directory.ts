import { watch, type FSWatcher } from 'node:fs';

/**
 * Calls back at each change of a directory, as the kernel tells it, and every `pollMs`: for what changes without being
 * written, and for file systems that tell nothing.
 *
 * @returns ends the watch; called again it does nothing
 */
export function watchDirectory(path: string, onLook: () => void, pollMs: number): () => void {
  const timer = setInterval(onLook, pollMs);
  const watcher = watchIfPossible(path, onLook);
  return () => {
    clearInterval(timer);
    watcher?.close();
  };
}

/** Null where the kernel cannot tell of changes (its watches are used up, say): looking now and then remains. */
function watchIfPossible(path: string, onChange: () => void): FSWatcher | null {
  try {
    const watcher = watch(path, onChange);
    watcher.on('error', () => {
      watcher.close();
    });
    return watcher;
  } catch {
    return null;
  }
}

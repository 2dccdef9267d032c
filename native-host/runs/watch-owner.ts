import { identityOf, isRunning } from './process-identity.ts';

/** How long an owner may be gone before it is seen, ms. */
const defaultIntervalMs = 1000;

/**
 * Watches the process on whose behalf a run measures: the browser, for a run started by the extension. When it
 * ends, `onGone` is called, once. A later process with the same pid is not mistaken for it.
 *
 * The watch alone does not keep the process alive.
 *
 * @returns ends the watch
 */
export function watchOwner(pid: number, onGone: () => void, intervalMs = defaultIntervalMs): () => void {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    stopped = true;
    clearTimeout(timer);
  };
  const watch = async (): Promise<void> => {
    const owner = await identityOf(pid);
    const look = async (): Promise<void> => {
      const alive = owner !== null && (await isRunning(owner));
      if (stopped) return;
      if (alive) {
        timer = setTimeout(() => void look(), intervalMs).unref();
        return;
      }
      stop();
      onGone();
    };
    await look();
  };
  void watch();
  return stop;
}

import type { RunStatus } from '../../shared/messages/run-status.ts';
import { currentStatus } from './current-status.ts';
import { isFinished } from './is-finished.ts';
import type { RunDirectory } from './run-directory.ts';
import { watchDirectory } from './watch-directory.ts';

/** How often a watched run is looked at without being told of a change, ms: it may have died in silence. */
const defaultPollMs = 2000;

export interface WatchEvents {
  /** The status has changed; the last one is a finished one. */
  onStatus(status: RunStatus): void;
  /** The run cannot be watched further: it was removed, or its files are damaged. */
  onError(error: unknown): void;
}

/**
 * Watches a run of whatever process until it has ended: at each change of its directory, as the kernel tells it,
 * and every now and then, for a process that died and for file systems that tell nothing.
 *
 * @returns ends the watch; called again it does nothing
 */
export function watchRun(run: RunDirectory, events: WatchEvents, pollMs = defaultPollMs): () => void {
  let last = '';
  let stopped = false;
  let asked = false;
  let turn = Promise.resolve();

  const stop = (): void => {
    stopped = true;
    endWatch();
  };
  const tell = (status: RunStatus | null): void => {
    const text = JSON.stringify(status);
    if (stopped || status === null || text === last) return;
    last = text;
    if (isFinished(status)) stop();
    events.onStatus(status);
  };
  const giveUp = (error: unknown): void => {
    if (stopped) return;
    stop();
    events.onError(error);
  };
  /** One look at a time; what changes during one is seen by one more after it. */
  const look = (): void => {
    if (asked || stopped) return;
    asked = true;
    turn = turn
      .then(() => {
        asked = false;
        return currentStatus(run);
      })
      .then(tell, giveUp);
  };

  const endWatch = watchDirectory(run.path, look, pollMs);
  look();
  return stop;
}

import { randomUUID } from 'node:crypto';
import { TowlineError } from '../../shared/errors/towline-error.ts';
import type { OwnAnswer, OwnCall } from '../../shared/messages/own-browser.ts';
import { OwnCallFiles } from './own-call-files.ts';
import { identityOf, isRunning } from './process-identity.ts';
import { watchDirectory } from './watch-directory.ts';

/** A browser whose extension was just woken takes a call within a second or two. */
const takenWithinMs = 30_000;
/** How often it is looked whether host and browser are still there. */
const lookEveryMs = 250;

/**
 * Asks the person's own browser for one step of a trial, by way of the native-messaging host that its extension has
 * started ({@link OwnCallRelay}), and waits for the answer.
 *
 * @param directory the run's
 * @throws TowlineError `own-browser-lost` when nobody takes the call, when host or browser end before it is answered,
 *   or when there is no answer within `timeoutMs`
 */
export async function askOwnBrowser(
  directory: string,
  browserPid: number,
  call: OwnCall,
  timeoutMs: number,
): Promise<OwnAnswer> {
  const files = new OwnCallFiles(directory);
  const callId = randomUUID();
  const worker = await identityOf(process.pid);
  if (worker === null) throw lost('This process could not be told from others.');
  const startMs = performance.now();
  let wake: (() => void) | null = null;
  const endWatch = watchDirectory(directory, () => wake?.(), lookEveryMs);
  try {
    await files.write('call', { callId, browserPid, worker, call });
    for (;;) {
      const changed = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const answer = await files.read('answer');
      if (answer?.callId === callId) return answer.answer;
      const taken = await files.read('taken');
      const waitedMs = performance.now() - startMs;
      if (taken?.callId === callId) {
        if (!(await isRunning(taken.host))) throw lost('The connection to your browser ended in mid-load.');
      } else if (waitedMs > takenWithinMs) {
        throw lost(`Your browser's extension took nothing for ${takenWithinMs / 1000} s.`);
      }
      if (waitedMs > timeoutMs) throw lost(`Your browser gave no answer within ${timeoutMs / 1000} s.`);
      await changed;
    }
  } finally {
    endWatch();
  }
}

function lost(what: string): TowlineError {
  return new TowlineError('own-browser-lost', 'browser', what, {
    remedy: 'Leave the browser and its extension running until the comparison has ended.',
  });
}

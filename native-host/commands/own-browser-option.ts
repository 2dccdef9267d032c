import { readlink } from 'node:fs/promises';
import * as v from 'valibot';
import { TowlineError } from '../../shared/errors/towline-error.ts';
import { BrowserVersionSchema } from '../../shared/messages/own-browser.ts';
import type { FoundBrowser } from '../browser/find-browser.ts';
import type { CompareOptions } from './compare-options.ts';

/** The person's own browser, in which a run is to load. */
export interface OwnBrowserAsked {
  pid: number;
  version: string;
}

/** `--own-browser`; null where it was not given. @throws TowlineError `bad-argument` */
export function parseOwnBrowser(options: CompareOptions): OwnBrowserAsked | null {
  const { ownBrowser, runId, ownerPid, network, shape, har, keylog } = options;
  if (ownBrowser === undefined) return null;
  const version = v.safeParse(BrowserVersionSchema, ownBrowser);
  const pid = Number(ownerPid);
  if (runId === undefined || ownerPid === undefined || !Number.isSafeInteger(pid) || !version.success) {
    throw refusal('--own-browser is for the native-messaging host, with --run-id and --owner-pid.');
  }
  if (network !== 'none' || [shape, har, keylog].some((option) => option !== undefined)) {
    throw refusal(
      'Your own browser is on its own network, which is not shaped, and hands out no HAR and no keys.',
    );
  }
  return { pid, version: version.output };
}

/** The program that runs already. @throws TowlineError `own-browser-lost` when it has ended */
export async function runningBrowser({ pid, version }: OwnBrowserAsked): Promise<FoundBrowser> {
  try {
    return { name: 'firefox', executable: await readlink(`/proc/${pid}/exe`), version };
  } catch (cause) {
    throw browserClosed(cause);
  }
}

/** Why a run in a browser that has ended cannot go on. */
export function browserClosed(cause?: unknown): TowlineError {
  return new TowlineError(
    'own-browser-lost',
    'comparison',
    'Your browser was closed during the comparison.',
    {
      remedy: 'Finished loads are kept. Leave the browser running until the comparison has ended.',
      cause,
    },
  );
}

function refusal(message: string): TowlineError {
  return new TowlineError('bad-argument', 'arguments', message, {
    remedy: 'Compare "here, in my own browser" from the popup of the extension.',
  });
}

/**
 * What a content script needs of the browser, without the polyfill: that alone is larger than a content
 * script should be.
 */
import type { ObservedReply, PageObserved } from '../../shared/messages/recorder-messages.ts';

interface Api {
  runtime?: {
    /** Gone once the extension was updated or removed under the page. */
    id?: string;
    sendMessage(message: unknown): Promise<unknown>;
  };
  extension: { inIncognitoContext: boolean };
}

/**
 * The browser makes `runtime` when it is first asked for, which takes half as long as all the rest of the recorder:
 * not before there is something to tell.
 */
function findApi(): Api | undefined {
  const { browser, chrome } = globalThis as { browser?: Api; chrome?: Api };
  // Chrome has no `browser` in its content scripts; in Firefox both give promises.
  return browser ?? chrome;
}

/** False in private windows, and once the extension was updated or removed: this script then belongs to nobody. */
export function mayTell(): boolean {
  const api = findApi();
  return api?.runtime?.id !== undefined && !api.extension.inIncognitoContext;
}

/** Tells the background. Null when it was not there, or ended before it answered: tell it again. */
export async function tellBackground(message: PageObserved): Promise<ObservedReply | null> {
  try {
    const reply = (await findApi()?.runtime?.sendMessage(message)) as ObservedReply | undefined;
    return reply ?? null;
  } catch {
    return null;
  }
}

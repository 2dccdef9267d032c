/**
 * What a content script needs of the browser, without the polyfill: that alone is larger than a content
 * script should be.
 */
import type { ObservedReply, PageObserved } from '../../shared/messages/recorder-messages.ts';

interface Api {
  runtime: {
    /** Gone once the extension was updated or removed under the page. */
    id?: string;
    sendMessage(message: unknown): Promise<unknown>;
  };
  extension: { inIncognitoContext: boolean };
}

const { browser, chrome } = globalThis as { browser?: Api; chrome?: Api };
// Chrome has no `browser` in its content scripts; in Firefox both give promises.
const api = browser?.runtime ? browser : chrome;

/** True in private windows, and where it cannot be known. */
export function isPrivate(): boolean {
  return api?.extension.inIncognitoContext ?? true;
}

/** False once the extension was updated or removed: this script then belongs to nobody. */
export function isConnected(): boolean {
  return api?.runtime.id !== undefined;
}

/** Tells the background. Null when it was not there, or ended before it answered: tell it again. */
export async function tellBackground(message: PageObserved): Promise<ObservedReply | null> {
  try {
    const reply = (await api?.runtime.sendMessage(message)) as ObservedReply | undefined;
    return reply ?? null;
  } catch {
    return null;
  }
}

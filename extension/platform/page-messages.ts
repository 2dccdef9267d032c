import * as v from 'valibot';
import browser, { type Runtime } from 'webextension-polyfill';
import {
  PageObservedSchema,
  type ObservedReply,
  type PageObserved,
} from '../../shared/messages/recorder-messages.ts';

/**
 * Accepts what the recorder tells from pages. Private windows are refused here too, whatever the page says;
 * what does not fit the schema is not acted upon.
 */
export function acceptPageMessages(
  receive: (message: PageObserved, tabId: number) => Promise<ObservedReply>,
): void {
  browser.runtime.onMessage.addListener((message: unknown, sender: Runtime.MessageSender) => {
    const { id, tab, frameId } = sender;
    if (id !== browser.runtime.id || tab?.id === undefined || frameId !== 0) return undefined;
    const parsed = v.safeParse(PageObservedSchema, message);
    if (!parsed.success || tab.incognito) return Promise.resolve({ type: 'stop' });
    return receive(parsed.output, tab.id);
  });
}

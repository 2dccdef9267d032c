import browser from 'webextension-polyfill';
import { hostName } from '../../shared/messages/host-protocol.ts';

/** A connection to the native host, as the browser gives it: messages in, messages out, nothing checked. */
export interface NativePort {
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  /** `reason` is the browser's own sentence, null when it gives none. Not called after {@link close}. */
  onClose(listener: (reason: string | null) => void): void;
  close(): void;
}

/** Starts the native host. A host that cannot be started shows as an immediate close. */
export function openNativePort(): NativePort {
  const port = browser.runtime.connectNative(hostName);
  return {
    post: (message) => {
      port.postMessage(message);
    },
    onMessage: (listener) => {
      port.onMessage.addListener(listener);
    },
    onClose: (listener) => {
      port.onDisconnect.addListener((closed) => {
        // Firefox puts the reason on the port, Chrome in lastError, readable only inside this callback.
        listener(closed.error?.message ?? browser.runtime.lastError?.message ?? null);
      });
    },
    close: () => {
      port.disconnect();
    },
  };
}

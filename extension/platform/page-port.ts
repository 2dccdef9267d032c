import * as v from 'valibot';
import browser from 'webextension-polyfill';
import {
  BackgroundMessageSchema,
  PageRequestSchema,
  watchPortName,
  type BackgroundMessage,
  type PageRequest,
} from '../../shared/messages/extension-messages.ts';
import { KeptLine, type Line, type LineEvents } from './kept-line.ts';

/** The background's end of a connection with a popup or results page. */
export interface Watcher {
  send(message: BackgroundMessage): void;
}

export interface WatcherEvents {
  onOpen(watcher: Watcher): void;
  onRequest(watcher: Watcher, request: PageRequest): void;
  onClose(watcher: Watcher): void;
}

/** Accepts connections of this extension's own pages. What does not fit the schema is not acted upon. */
export function acceptWatchers(events: WatcherEvents): void {
  browser.runtime.onConnect.addListener((port) => {
    if (port.name !== watchPortName || port.sender?.id !== browser.runtime.id) return;
    const watcher: Watcher = {
      send: (message) => {
        port.postMessage(message);
      },
    };
    port.onDisconnect.addListener(() => {
      events.onClose(watcher);
    });
    port.onMessage.addListener((message: unknown) => {
      const request = v.safeParse(PageRequestSchema, message);
      if (request.success) events.onRequest(watcher, request.output);
      else {
        watcher.send({
          type: 'refused',
          error: {
            code: 'bad-message',
            stage: 'messaging',
            message: request.issues[0].message,
            remedy: null,
          },
        });
      }
    });
    events.onOpen(watcher);
  });
}

/** A page's end of the connection. */
export interface BackgroundConnection {
  send(request: PageRequest): void;
}

/**
 * Connects to the background, and again whenever that was ended, which wakes it; not while the page is left, and kept
 * by the browser for a return.
 */
export function watchBackground(onMessage: (message: BackgroundMessage) => void): BackgroundConnection {
  const line = new KeptLine(openPort, (message) => {
    onMessage(v.parse(BackgroundMessageSchema, message));
  });
  addEventListener('pagehide', () => {
    line.rest();
  });
  addEventListener('pageshow', () => {
    line.wake();
  });
  return {
    send: (request) => {
      line.send(request);
    },
  };
}

function openPort({ onMessage, onClose }: LineEvents): Line {
  const port = browser.runtime.connect({ name: watchPortName });
  port.onMessage.addListener(onMessage);
  port.onDisconnect.addListener(onClose);
  return {
    post: (message) => {
      port.postMessage(message);
    },
    close: () => {
      port.disconnect();
    },
  };
}

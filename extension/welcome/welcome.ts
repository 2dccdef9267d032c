/** The page shown once, after installing: what Towline does, what it needs, what it keeps. */
import type { HostState } from '../../shared/messages/extension-messages.ts';
import { button, element } from '../charts/element.ts';
import { hostNotice } from '../charts/host-notice.ts';
import { speak, text, type MessageKey } from '../charts/text.ts';
import { localizedMessage } from '../platform/extension-info.ts';
import { watchBackground } from '../platform/page-port.ts';

speak(localizedMessage);
document.documentElement.lang = text('language');
document.title = text('welcomeTitle');

/** The host is installed in a terminal, which tells nobody here: ask again now and then. */
const askAgainMs = 3000;

const host = element('div', { class: 'host', 'aria-live': 'polite' });
document.body.append(
  element(
    'main',
    {},
    element(
      'section',
      {},
      element('h1', {}, element('img', { src: 'icons/icon-48.png', alt: '' }), text('welcomeTitle')),
      element('p', { class: 'lead' }, text('welcomeWhat')),
    ),
    element('section', {}, element('h2', {}, text('welcomeHost')), element('p', {}, text('hostWhy')), host),
    list('welcomeHow', ['welcomeHowCompare', 'welcomeHowObserve', 'welcomeHowRecord']),
    list('welcomeStored', [
      'welcomeStoredResults',
      'welcomeStoredRecorder',
      'welcomeStoredTimes',
      'welcomeStoredNowhere',
    ]),
    element(
      'section',
      {},
      element('h2', {}, text('welcomePermissions')),
      element('p', {}, text('welcomePermissionsAsked')),
      element(
        'p',
        {},
        element('a', { href: 'options.html#/' }, text('welcomeResults')),
        ' · ',
        element('a', { href: 'options.html#/recorder' }, text('welcomeRecorder')),
      ),
    ),
  ),
);

let shown = '';
const background = watchBackground((message) => {
  if (message.type === 'state') show(message.host);
});
setInterval(() => {
  if (shown.includes('"unavailable"') && document.visibilityState === 'visible') retry();
}, askAgainMs);

function retry(): void {
  background.send({ type: 'reconnect' });
}

/** Only a change is drawn: what was there may be in use, or be read aloud. */
function show(state: HostState): void {
  const now = JSON.stringify(state);
  // Asking again is no news.
  if (now === shown || (state.state !== 'ready' && state.state !== 'unavailable')) return;
  shown = now;
  if (state.state === 'ready') {
    host.replaceChildren(element('p', { class: 'ready' }, text('welcomeHostReady', state.hostVersion)));
  } else host.replaceChildren(hostNotice(state.error), button(text('hostRetry'), retry));
}

function list(title: MessageKey, items: readonly MessageKey[]): HTMLElement {
  return element(
    'section',
    {},
    element('h2', {}, text(title)),
    element('ul', {}, ...items.map((item) => element('li', {}, text(item)))),
  );
}

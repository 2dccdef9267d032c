import { armLabel } from '../charts/arm-label.ts';
import { element } from '../charts/element.ts';
import { armOfProtocol, protocolName } from '../charts/names.ts';
import { text } from '../charts/text.ts';
import type { CurrentPage } from '../platform/current-page.ts';

/** Whether {@link comparisonForm} has anything to compare. */
export function isComparable(page: CurrentPage): page is CurrentPage & { url: string } {
  return page.url !== null && /^https?:/.test(page.url);
}

/** The page in front: where it is from, and the protocol its document came over. */
export function pageView(page: CurrentPage): HTMLElement {
  if (!isComparable(page)) {
    return element(
      'section',
      { class: 'page' },
      element('h2', {}, text('popupNotAPage')),
      element('p', {}, text('popupNotAPageHint')),
    );
  }
  const arm = armOfProtocol(page.protocol);
  const name = protocolName(page.protocol) ?? text('popupUnknownProtocol');
  return element(
    'section',
    { class: 'page' },
    element('p', { class: 'origin' }, new URL(page.url).host),
    element(
      'p',
      { class: 'protocol' },
      element('span', { class: 'caption' }, text('popupCameOver')),
      ' ',
      element('strong', {}, arm ? armLabel(arm, name) : name),
    ),
  );
}

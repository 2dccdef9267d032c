import { armLabel } from '../charts/arm-label.ts';
import { element, type Child } from '../charts/element.ts';
import { armOfProtocol, protocolName } from '../charts/names.ts';
import { text } from '../charts/text.ts';
import type { CurrentPage } from '../platform/current-page.ts';

/** Whether {@link comparisonForm} has anything to compare. */
export function isComparable(page: CurrentPage): page is CurrentPage & { url: string } {
  return page.url !== null && /^https?:/.test(page.url);
}

/** The page in front: where it is from, and the protocol its document came over, once the page has told. */
export function pageView(page: CurrentPage): HTMLElement {
  if (!isComparable(page)) {
    return element(
      'section',
      { class: 'page' },
      element('h2', {}, text('popupNotAPage')),
      element('p', {}, text('popupNotAPageHint')),
    );
  }
  const protocol = element('strong', {}, '…');
  void page.snapshot.then((snapshot) => {
    // A document out of a cache still names the protocol it once came over.
    protocol.replaceChildren(protocolLabel(snapshot?.entries[0][2] ?? null));
  });
  return element(
    'section',
    { class: 'page' },
    element('p', { class: 'origin' }, new URL(page.url).host),
    element(
      'p',
      { class: 'protocol' },
      element('span', { class: 'caption' }, text('popupCameOver')),
      ' ',
      protocol,
    ),
  );
}

function protocolLabel(nextHopProtocol: string | null): NonNullable<Child> {
  const arm = armOfProtocol(nextHopProtocol);
  const name = protocolName(nextHopProtocol) ?? text('popupUnknownProtocol');
  return arm ? armLabel(arm, name) : name;
}

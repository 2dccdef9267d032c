import { element } from '../charts/element.ts';
import { text } from '../charts/text.ts';
import type { PageSnapshot } from '../../shared/messages/recorder-messages.ts';
import type { ObservedTime } from '../../shared/record/observed-time.ts';
import { observedLabel, observedTable } from '../recorder/observed-table.ts';
import { observedTime } from '../recorder/observed-time.ts';
import { readEntry } from '../recorder/read-entry.ts';

/**
 * The requests of the page in front, as the browser tells of them; null when it tells nothing.
 * @param wire what the packets said of it; null where nobody watched them
 */
export function observedView(snapshot: PageSnapshot | null, wire: ObservedTime | null): HTMLElement | null {
  if (!snapshot?.document) return null;
  const document = readEntry(snapshot.document, 0);
  const requests = snapshot.entries.map((entry) => readEntry(entry, 0));
  const table = observedTable(document, requests);
  table.caption?.classList.add('visually-hidden');
  return element(
    'section',
    { class: 'observed' },
    element('div', { class: 'observed-head' }, element('h2', {}, text('observedTitle')), observedLabel()),
    table,
    wire && observedTime(wire),
    snapshot.truncated
      ? element('p', { class: 'caption' }, text('observedTruncated', String(requests.length)))
      : null,
  );
}

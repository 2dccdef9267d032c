import { element } from '../charts/element.ts';
import { text } from '../charts/text.ts';
import type { PageReading } from '../../shared/messages/page-reading.ts';
import { browserKeeps, requestsKept } from '../../shared/messages/requests-kept.ts';
import type { ObservedTime } from '../../shared/record/observed-time.ts';
import { observedLabel, observedTable } from '../recorder/observed-table.ts';
import { observedTime } from '../recorder/observed-time.ts';
import { readEntry } from '../recorder/read-entry.ts';

/**
 * The requests of the page in front, as the browser tells of them; null when it tells nothing.
 * @param wire what the packets said of it; null where nobody watched them
 */
export function observedView(snapshot: PageReading | null, wire: ObservedTime | null): HTMLElement | null {
  if (!snapshot) return null;
  const [document, ...entries] = snapshot.entries;
  const requests = entries.map((entry) => readEntry(entry, 0));
  const table = observedTable(readEntry(document, 0), requests);
  table.caption?.classList.add('visually-hidden');
  return element(
    'section',
    { class: 'observed' },
    element('div', { class: 'observed-head' }, element('h2', {}, text('observedTitle')), observedLabel()),
    table,
    wire && observedTime(wire),
    // Where the recorder has made no room for more, the browser kept no more.
    [browserKeeps, requestsKept].includes(requests.length)
      ? element('p', { class: 'caption' }, text('observedTruncated', String(requests.length)))
      : null,
  );
}

import type { Observation } from '../../../shared/record/observation.ts';
import { armLabel } from '../../charts/arm-label.ts';
import { scrolling } from '../../charts/data-table.ts';
import { button, element } from '../../charts/element.ts';
import { formatDate, formatMs } from '../../charts/format.ts';
import { armOfProtocol, protocolName } from '../../charts/names.ts';
import { text } from '../../charts/text.ts';
import { observedLabel, observedTable } from '../../recorder/observed-table.ts';
import { observedTime, timeWithBound } from '../../recorder/observed-time.ts';
import { facts } from './section.ts';

/** Observed page loads, each to be opened for its table. */
export function observationList(
  observations: readonly Observation[],
  compare: (url: string) => Promise<void>,
): HTMLElement {
  if (observations.length === 0) return element('p', { class: 'caption' }, text('recorderListEmpty'));
  return element(
    'div',
    { class: 'observations' },
    ...observations.map((observation) => entry(observation, compare)),
  );
}

function entry(observation: Observation, compare: (url: string) => Promise<void>): HTMLElement {
  const { url, startedAt, kind, document, requests, wire } = observation;
  const arm = armOfProtocol(document?.protocol ?? null);
  const count = requests.length + (document ? 1 : 0);
  const details = element(
    'details',
    {},
    element(
      'summary',
      {},
      element('span', { class: 'address' }, url),
      arm ? armLabel(arm) : (protocolName(document?.protocol ?? null) ?? ''),
      element(
        'span',
        { class: 'caption' },
        [formatDate(startedAt), kindName(kind), text('recorderRequests', String(count))].join(' · '),
      ),
      wire?.missing === null
        ? element('span', { class: 'caption' }, text('observedTime'), ' ', timeWithBound(wire.timeOnWire))
        : null,
    ),
  );
  // A hundred tables are drawn only as far as somebody looks.
  details.addEventListener('toggle', () => {
    if (details.open && details.children.length === 1) details.append(...contentOf(observation, compare));
  });
  return details;
}

function contentOf(
  { url, queryCut, document, requests, loadEventMs, truncated, servers, wire }: Observation,
  compare: (url: string) => Promise<void>,
): HTMLElement[] {
  const status = element('span', { role: 'status' });
  const start = button(text('recorderCompare'), () => {
    start.disabled = true;
    void compare(url).then(() => {
      status.textContent = text('recorderCompareStarted');
    });
  });
  return [
    element('div', { class: 'observed-note' }, observedLabel()),
    scrolling(observedTable(document, requests)),
    ...(truncated
      ? [element('p', { class: 'caption' }, text('observedTruncated', String(requests.length)))]
      : []),
    ...(wire ? [observedTime(wire)] : []),
    facts([
      ...(wire?.missing === null && wire.setup && wire.wireTotal
        ? [
            [text('metricSetup'), timeWithBound(wire.setup)] as const,
            [text('metricWireTotal'), timeWithBound(wire.wireTotal)] as const,
          ]
        : []),
      [text('metricLoadTime'), loadEventMs === null ? null : formatMs(loadEventMs)],
      ...servers.map(({ origin, addresses }) => [origin, addresses.join(', ')] as const),
    ]),
    // Without its query an address may lead elsewhere.
    ...(queryCut ? [] : [element('p', { class: 'actions' }, start, ' ', status)]),
  ];
}

function kindName(kind: Observation['kind']): string {
  return {
    load: text('kindLoad'),
    reload: text('kindReload'),
    'back-forward': text('kindBackForward'),
    prerender: text('kindPrerender'),
    bfcache: text('kindBfcache'),
  }[kind];
}

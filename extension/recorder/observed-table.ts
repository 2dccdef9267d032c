import type { ObservedRequest } from '../../shared/record/observation.ts';
import { armLabel } from '../charts/arm-label.ts';
import { dataTable } from '../charts/data-table.ts';
import { element, type Child } from '../charts/element.ts';
import { formatBytes, missing } from '../charts/format.ts';
import { armOfProtocol, protocolName } from '../charts/names.ts';
import { text } from '../charts/text.ts';
import { originRows, type OriginRow } from './origin-rows.ts';

/** What stands over every figure of the recorder. */
export function observedLabel(): HTMLElement {
  return element('p', { class: 'observed-label' }, text('observedLabel'));
}

/** A page's requests by origin and protocol, with a total. */
export function observedTable(
  document: ObservedRequest | null,
  requests: readonly ObservedRequest[],
): HTMLTableElement {
  const rows = originRows(document, requests);
  return dataTable(
    text('observedCaption'),
    [
      { header: text('columnOrigin') },
      { header: text('columnProtocol') },
      { header: text('columnRequests'), numeric: true },
      { header: text('columnBytes'), numeric: true },
      { header: text('columnOpened'), numeric: true },
    ],
    rows.map((row) => [
      element('span', { class: 'origin', title: row.origin }, row.origin.replace(/^https:\/\//, '')),
      protocolCell(row),
      String(row.requests),
      formatBytes(row.transferBytes),
      row.connections === null ? missing : String(row.connections),
    ]),
  );
}

function protocolCell({ protocol, reason }: OriginRow): Child {
  const arm = armOfProtocol(protocol);
  if (arm) return armLabel(arm);
  return protocolName(protocol) ?? element('span', { class: 'caption' }, reasonWords(reason));
}

function reasonWords(reason: OriginRow['reason']): string {
  switch (reason) {
    case 'cache':
      return text('observedCache');
    case 'service-worker':
      return text('observedServiceWorker');
    case 'hidden':
    case 'untold':
    case null:
      return text('observedHidden');
  }
}

import type { ComparisonRecord } from '../../../shared/record/record.ts';
import type { Trial } from '../../../shared/record/trial.ts';
import { mean } from '../../../shared/stats/mean.ts';
import { dataTable, scrolling } from '../../charts/data-table.ts';
import { element } from '../../charts/element.ts';
import { formatBytes, formatCount, missing } from '../../charts/format.ts';
import { armName } from '../../charts/names.ts';
import { text } from '../../charts/text.ts';
import { countedTrials } from '../../charts/trial-metric.ts';
import { section } from './section.ts';

/** The busiest; the rest of a page's origins are counted in words. */
const shownAtMost = 15;

interface Origin {
  host: string;
  requests: number;
  bytes: number;
}

/** How the page is spread over origins, and how many connections each protocol opened to them. */
export function originsSection(record: ComparisonRecord): HTMLElement | null {
  const { arms } = record.design;
  const trials = arms.flatMap((arm) => countedTrials(record, arm));
  const origins = originsOf(trials);
  if (origins.length === 0) return null;
  return section(
    text('originsTitle'),
    element('p', {}, originsSentence(record, origins.length)),
    scrolling(
      dataTable(
        text('originsCaption'),
        [
          { header: text('columnOrigin') },
          { header: text('columnRequests'), numeric: true },
          { header: text('columnBytes'), numeric: true },
          ...arms.map((arm) => ({ header: text('columnConnectionsOf', armName(arm)), numeric: true })),
        ],
        origins
          .slice(0, shownAtMost)
          .map(({ host, requests, bytes }) => [
            host,
            formatCount(requests),
            formatBytes(bytes),
            ...arms.map((arm) => connectionsTo(countedTrials(record, arm), host)),
          ]),
      ),
    ),
  );
}

function originsSentence(record: ComparisonRecord, count: number): string {
  const connections = record.design.arms.flatMap((arm) => {
    const per = connectionsPerLoad(countedTrials(record, arm));
    return per === null ? [] : [text('originsConnections', armName(arm), formatCount(per))];
  });
  return [
    count === 1 ? text('originsOne') : text('originsMany', String(count)),
    ...(connections.length === 0 ? [] : [text('originsOpened', connections.join(', '))]),
  ].join(' ');
}

/** Requests and bytes per load, the most bytes first. */
function originsOf(trials: readonly Trial[]): Origin[] {
  const origins = new Map<string, Origin>();
  for (const { url, transferBytes } of trials.flatMap(({ resources }) => resources)) {
    const host = URL.parse(url)?.host ?? '';
    if (host === '') continue;
    const origin = origins.get(host) ?? { host, requests: 0, bytes: 0 };
    origin.requests += 1 / trials.length;
    origin.bytes += (transferBytes ?? 0) / trials.length;
    origins.set(host, origin);
  }
  return [...origins.values()].sort((a, b) => b.bytes - a.bytes);
}

function connectionsPerLoad(trials: readonly Trial[]): number | null {
  return mean(trials.flatMap(({ wire }) => (wire ? [wire.flows.filter((flow) => flow.page).length] : [])));
}

/** Mean over the loads; a connection that serves several origins (HTTP/2 coalescing) counts for its first. */
function connectionsTo(trials: readonly Trial[], host: string): string {
  const name = host.replace(/:\d+$/, '');
  const per = mean(
    trials.flatMap(({ wire }) =>
      wire ? [wire.flows.filter((flow) => flow.page && flow.sni === name).length] : [],
    ),
  );
  return per === null ? missing : formatCount(per);
}

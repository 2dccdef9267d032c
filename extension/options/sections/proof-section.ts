import type { Arm } from '../../../shared/record/arm.ts';
import type { ComparisonRecord, Http3Discovery } from '../../../shared/record/record.ts';
import { armLabel } from '../../charts/arm-label.ts';
import { dataTable, scrolling } from '../../charts/data-table.ts';
import { element } from '../../charts/element.ts';
import { formatShare } from '../../charts/format.ts';
import { mixChart } from '../../charts/mix-chart.ts';
import { retell } from '../../charts/retell.ts';
import { text } from '../../charts/text.ts';
import { countedTrials } from '../../charts/trial-metric.ts';
import { section } from './section.ts';

/** Proof of treatment: that each arm's loads really used its protocol, and how HTTP/3 was found. */
export function proofSection(record: ComparisonRecord): HTMLElement | null {
  return section(
    text('sectionProof'),
    element('p', { class: 'caption' }, text('proofNote')),
    scrolling(
      dataTable(
        text('proofCaption'),
        [
          { header: text('columnArm') },
          { header: text('columnRequestShare'), numeric: true },
          { header: text('columnByteShare'), numeric: true },
          { header: text('columnWireShare'), numeric: true },
          { header: text('columnConnections'), numeric: true },
        ],
        record.design.arms.map((arm) => [
          armLabel(arm),
          formatShare(least(record, arm, 'requestShare')),
          formatShare(least(record, arm, 'byteShare')),
          formatShare(least(record, arm, 'wireByteShare')),
          connections(record, arm),
        ]),
      ),
    ),
    mixChart(record),
    record.http3 && discovery(record.http3),
  );
}

function least(
  record: ComparisonRecord,
  arm: Arm,
  share: 'requestShare' | 'byteShare' | 'wireByteShare',
): number | null {
  const known = countedTrials(record, arm)
    .map((trial) => trial.treatment[share])
    .filter((value) => value !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/** How many connections carried the page, fewest to most over the loads. */
function connections(record: ComparisonRecord, arm: Arm): string {
  const counts = countedTrials(record, arm).flatMap(({ wire }) =>
    wire ? [wire.flows.filter((flow) => flow.page).length] : [],
  );
  if (counts.length === 0) return '–';
  const [fewest, most] = [Math.min(...counts), Math.max(...counts)];
  return fewest === most ? String(fewest) : `${fewest} – ${most}`;
}

/** How HTTP/3 was found, in a sentence and origin by origin. */
function discovery({ origins, detail }: Http3Discovery): HTMLElement {
  const found = {
    lab: text('http3Lab'),
    'alt-svc': text('http3AltSvc'),
    'https-record': text('http3HttpsRecord'),
  };
  return element(
    'div',
    { class: 'discovery' },
    element('h3', {}, text('http3Title')),
    element('p', {}, retell(detail)),
    origins.length === 0
      ? null
      : scrolling(
          dataTable(
            text('http3Title'),
            [{ header: text('columnOrigin') }, { header: text('columnFound') }],
            origins.map(({ origin, found: how }) => [origin, found[how]]),
          ),
          { named: true },
        ),
  );
}

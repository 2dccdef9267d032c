import type { Arm } from '../../../shared/record/arm.ts';
import type { ComparisonRecord } from '../../../shared/record/record.ts';
import type { Treatment } from '../../../shared/record/trial.ts';
import { armLabel } from '../../charts/arm-label.ts';
import { dataTable, scrolling } from '../../charts/data-table.ts';
import { element } from '../../charts/element.ts';
import { formatShare } from '../../charts/format.ts';
import { protocolName } from '../../charts/names.ts';
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
          { header: text('columnMix') },
        ],
        record.design.arms.map((arm) => [
          armLabel(arm),
          formatShare(least(record, arm, 'requestShare')),
          formatShare(least(record, arm, 'byteShare')),
          formatShare(least(record, arm, 'wireByteShare')),
          connections(record, arm),
          mix(record, arm),
        ]),
      ),
    ),
    record.http3 && element('p', {}, record.http3.detail),
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

function mix(record: ComparisonRecord, arm: Arm): string {
  const total: Treatment['mix'] = {};
  for (const { treatment } of countedTrials(record, arm)) {
    for (const [protocol, requests] of Object.entries(treatment.mix)) {
      total[protocol] = (total[protocol] ?? 0) + requests;
    }
  }
  return Object.entries(total)
    .sort(([, a], [, b]) => b - a)
    .map(([protocol, requests]) => `${protocolName(protocol) ?? protocol} ${requests}`)
    .join(', ');
}

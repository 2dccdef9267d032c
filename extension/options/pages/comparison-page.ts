import { describe } from '../../../shared/record/describe.ts';
import type { ComparisonRecord } from '../../../shared/record/record.ts';
import { metrics } from '../../../shared/record/statistics.ts';
import { ecdfChart } from '../../charts/ecdf-chart.ts';
import { element } from '../../charts/element.ts';
import { forestChart } from '../../charts/forest-chart.ts';
import { formatDate } from '../../charts/format.ts';
import { armName, metricName } from '../../charts/names.ts';
import { phasesChart } from '../../charts/phases-chart.ts';
import { retell } from '../../charts/retell.ts';
import { spreadChart } from '../../charts/spread-chart.ts';
import { text } from '../../charts/text.ts';
import { waitsChart } from '../../charts/waits-chart.ts';
import { browserWords } from '../browser-words.ts';
import { exportBar } from '../export-bar.ts';
import { networkWords } from '../network-words.ts';
import type { RecordEditing, RecordSource } from '../record-source.ts';
import { hashOf } from '../route.ts';
import { armsTable } from '../sections/arms-table.ts';
import { environmentSection } from '../sections/environment-section.ts';
import { historySection } from '../sections/history-section.ts';
import { networkSection } from '../sections/network-section.ts';
import { originsSection } from '../sections/origins-section.ts';
import { proofSection } from '../sections/proof-section.ts';
import { recheckLine } from '../sections/recheck-line.ts';
import { section, sentences } from '../sections/section.ts';
import { trialsSection } from '../sections/trials-section.ts';
import { verdictSection } from '../sections/verdict-section.ts';
import type { OffPageStatistics } from '../statistics/off-page-statistics.ts';

export interface ComparisonPageParts {
  source: RecordSource;
  editing: RecordEditing | null;
  statistics: OffPageStatistics;
}

/** One comparison, the answer first, the evidence under it. */
export function comparisonPage(
  record: ComparisonRecord,
  { source, editing, statistics }: ComparisonPageParts,
): HTMLElement {
  const words = describe(record);
  return element(
    'article',
    { 'data-title': record.target.asked },
    element('p', { class: 'breadcrumb' }, element('a', { href: hashOf({ page: 'overview' }) }, text('back'))),
    element('h1', { class: 'address' }, record.target.asked),
    element(
      'p',
      { class: 'subtitle' },
      [formatDate(record.createdAt), networkWords(record.path.kind, record.path.asked)].join(' · '),
    ),
    words.incomplete === null
      ? null
      : element(
          'p',
          { class: 'notice', role: 'note' },
          retell(words.incomplete),
          ' ',
          retell(record.error?.remedy ?? ''),
        ),
    verdictSection(record),
    countLine(record),
    element('p', { class: 'count-line' }, holdsFor(record)),
    section(
      text('sectionTimes'),
      spreadChart(record, 'timeOnWireMs'),
      spreadChart(record, 'loadTimeMs'),
      phasesChart(record),
      waitsChart(record),
    ),
    section(text('sectionTable'), armsTable(record), recheckLine(record, statistics)),
    section(
      text('sectionMore'),
      forestChart({
        title: text('gainsTitle'),
        caption: text('gainsCaption'),
        fileName: 'towline-gains',
        labelHeader: text('columnPair'),
        rows: metrics.flatMap((metric) =>
          record.statistics.pairs
            .filter((pair) => pair.metric === metric)
            .map((pair) => {
              // One under the other: in one line, the baseline is what a narrow window would cut.
              const lines = [
                metricName(metric),
                text('gainsLabel', armName(pair.variant), armName(pair.baseline)),
              ];
              return { label: lines.join(': '), lines, pair };
            }),
        ),
      }),
      ecdfChart(record, 'timeOnWireMs'),
      ecdfChart(record, 'loadTimeMs'),
    ),
    proofSection(record),
    originsSection(record),
    trialsSection(record),
    networkSection(record.path),
    section(
      text('sectionReading'),
      element(
        'div',
        { class: 'columns' },
        sentences(text('measuredTitle'), words.measured.map(retell)),
        sentences(text('dependsTitle'), words.dependsOn.map(retell)),
        sentences(text('doesNotShowTitle'), words.doesNotShow.map(retell)),
      ),
    ),
    environmentSection(record),
    historySection(record, source),
    exportBar(record, editing),
  );
}

/** What the answer depends on and what it does not show, in one sentence under it. */
function holdsFor({ environment, path }: ComparisonRecord): string {
  return text('holdsFor', browserWords(environment.browser), networkWords(path.kind, path.asked));
}

/** How many of the loads carry the answer, and the way to those that do not. */
function countLine(record: ComparisonRecord): HTMLElement {
  const run = record.trials.filter((trial) => !trial.warmup);
  const invalid = run.filter((trial) => !trial.verdict.valid).length;
  const line = text('loadsCount', String(run.length - invalid), String(run.length));
  if (invalid === 0) return element('p', { class: 'count-line' }, `${line}.`);
  const jump = element('a', { href: '#invalid' }, text('loadsInvalid', String(invalid)));
  jump.addEventListener('click', (event) => {
    // The hash is the route: scroll by hand.
    event.preventDefault();
    document.getElementById('invalid')?.scrollIntoView();
  });
  return element('p', { class: 'count-line' }, `${line}: `, jump, '.');
}

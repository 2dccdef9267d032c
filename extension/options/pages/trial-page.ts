import type { ComparisonRecord } from '../../../shared/record/record.ts';
import { metrics } from '../../../shared/record/statistics.ts';
import type { Trial } from '../../../shared/record/trial.ts';
import type { Wire } from '../../../shared/record/wire.ts';
import { countedBlocks } from '../../../shared/stats/counted-blocks.ts';
import { armLabel } from '../../charts/arm-label.ts';
import { dataTable, scrolling } from '../../charts/data-table.ts';
import { element } from '../../charts/element.ts';
import { errorWords } from '../../charts/error-words.ts';
import { bareMs, formatBytes, formatDate, formatMs, missing } from '../../charts/format.ts';
import { armName, metricName, protocolName, ruleName } from '../../charts/names.ts';
import { retell } from '../../charts/retell.ts';
import { text } from '../../charts/text.ts';
import { trafficChart } from '../../charts/traffic-chart.ts';
import { waterfallChart } from '../../charts/waterfall-chart.ts';
import { exportTrialBar } from '../export-bar.ts';
import { hashOf } from '../route.ts';
import { facts, section } from '../sections/section.ts';
import { resultWords } from '../sections/trials-section.ts';
import { messagePage } from './message-page.ts';

/** One page load: whether it counts and why, its figures, every request, every connection. */
export function trialPage(record: ComparisonRecord, index: number): HTMLElement {
  const trial = record.trials.find((each) => each.index === index);
  if (!trial) return messagePage(text('comparisonMissing'), [text('comparisonMissingHint')]);
  const counts = countedBlocks(record.trials).some((block) => block.get(trial.arm) === trial);
  const title = text('trialTitle', armName(trial.arm), String(index + 1));
  return element(
    'article',
    { 'data-title': title },
    element(
      'p',
      { class: 'breadcrumb' },
      element('a', { href: hashOf({ page: 'comparison', id: record.id }) }, text('backToComparison')),
      ` · ${record.target.asked}`,
    ),
    element('h1', {}, armLabel(trial.arm, title)),
    element(
      'p',
      { class: 'subtitle' },
      [
        text('trialRound', String(trial.block), String(trial.attempt + 1)),
        formatDate(trial.startedAt),
        resultWords(trial, counts),
      ].join(' · '),
    ),
    trial.error && errorNotice(errorWords(trial.error)),
    section(text('trialFigures'), figures(trial), wireNotes(trial)),
    section(text('waterfallTitle'), waterfallChart(trial), trafficChart(trial)),
    section(text('trialChecks'), checksTable(trial)),
    trial.wire && section(text('trialFlows'), flowsTable(trial.wire)),
    exportTrialBar(record, trial),
  );
}

function errorNotice({ message, remedy }: ReturnType<typeof errorWords>): HTMLElement {
  return element('p', { class: 'notice', role: 'note' }, message, ' ', remedy);
}

function figures(trial: Trial): HTMLElement {
  return facts(
    metrics.map((metric) => {
      if (metric === 'loadTimeMs') return [metricName(metric), formatMs(trial.loadTimeMs)] as const;
      const figure = trial.wire?.[metric];
      const bound = figure?.errorBoundMs ? ` ${text('figureBound', formatMs(figure.errorBoundMs))}` : '';
      const known = figure?.value ?? null;
      const value = known === null ? retell(figure?.missing ?? missing) : formatMs(known);
      return [metricName(metric), `${value}${bound}`] as const;
    }),
  );
}

function wireNotes({ wire, wireMissing }: Trial): HTMLElement {
  if (!wire) return element('p', { class: 'caption' }, text('wireMissing', retell(wireMissing ?? missing)));
  const method = text(wire.method === 'keyed' ? 'figureMethodKeyed' : 'figureMethodKeyless');
  return element(
    'div',
    { class: 'caption' },
    element('p', {}, method),
    wire.notes.length === 0
      ? null
      : element('ul', { class: 'notes' }, ...wire.notes.map((note) => element('li', {}, retell(note)))),
  );
}

function checksTable(trial: Trial): HTMLElement {
  const outcome = (passed: boolean | null): HTMLElement => {
    if (passed === null) return element('span', { class: 'check unknown' }, text('checkUnknown'));
    return passed
      ? element('span', { class: 'check met' }, text('checkPassed'))
      : element('span', { class: 'check broken' }, text('checkFailed'));
  };
  return scrolling(
    dataTable(
      text('trialChecks'),
      [{ header: text('columnRule') }, { header: text('columnResult') }, { header: text('columnSeen') }],
      trial.verdict.checks.map(({ rule, passed, detail }) => [
        ruleName(rule),
        outcome(passed),
        retell(detail),
      ]),
    ),
    { named: true },
  );
}

function flowsTable(wire: Wire): HTMLElement {
  return scrolling(
    dataTable(
      text('trialFlows'),
      [
        { header: text('columnServer') },
        { header: text('columnProtocol') },
        { header: text('columnStart'), numeric: true },
        { header: text('columnHandshake'), numeric: true },
        { header: text('columnPackets'), numeric: true },
        { header: text('columnBytes'), numeric: true },
        { header: text('columnRetransmissions'), numeric: true },
      ],
      wire.flows.map((flow) => [
        flow.sni ?? flow.serverAddress,
        protocolName(flow.protocol) ?? flow.transport.toUpperCase(),
        bareMs(flow.firstPacketAtMs),
        bareMs(flow.handshakeMs),
        String(flow.packetsDown + flow.packetsUp),
        formatBytes(flow.bytesDown + flow.bytesUp),
        flow.retransmissionsDown === null ? missing : String(flow.retransmissionsDown),
      ]),
    ),
    { named: true },
  );
}

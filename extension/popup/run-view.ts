import { hasEnded, type TrackedRun } from '../../shared/messages/extension-messages.ts';
import type { RunStatus } from '../../shared/messages/run-status.ts';
import type { ComparisonSummary } from '../../shared/record/comparison-summary.ts';
import { armLabel } from '../charts/arm-label.ts';
import { dataTable } from '../charts/data-table.ts';
import { button, element } from '../charts/element.ts';
import { bareMs, formatDuration } from '../charts/format.ts';
import { metricName } from '../charts/names.ts';
import { retell } from '../charts/retell.ts';
import { text } from '../charts/text.ts';
import { leadingMetric } from '../charts/trial-metric.ts';
import { headline, verdictSentence } from '../charts/verdict-sentence.ts';
import { errorParagraphs } from './error-paragraphs.ts';
import { narrowingView } from './narrowing-view.ts';

export interface RunActions {
  cancel(runId: string): void;
  dismiss(runId: string): void;
  see(recordId: string): void;
}

/** A run: its progress while it goes on, its answer or its error once it has ended. */
export function runView(
  run: TrackedRun,
  summary: ComparisonSummary | null,
  actions: RunActions,
): HTMLElement {
  if (!hasEnded(run.status)) return progressView(run.status, actions);
  return run.recordId !== null && run.status.state !== 'failed'
    ? resultView(run, run.recordId, summary, actions)
    : endedView(run, actions);
}

function progressView(status: RunStatus, actions: RunActions): HTMLElement {
  const { trialsDone, trialsPlanned, remainingMs } = status;
  const done = text('popupProgress', String(trialsDone), String(trialsPlanned));
  const says = status.narrowing?.precisionPercent == null ? 'popupLeft' : 'popupLeftMost';
  const left = remainingMs === null ? null : text(says, formatDuration(remainingMs));
  return element(
    'section',
    { class: 'run' },
    element('p', { class: 'origin' }, hostOf(status.url)),
    element('progress', { max: Math.max(trialsPlanned, 1), value: trialsDone, 'aria-label': done }),
    element(
      'p',
      { class: 'counts' },
      element('strong', {}, done),
      left === null ? null : element('span', {}, left),
    ),
    element('p', { class: 'caption activity', role: 'status' }, retell(status.activity)),
    mediansTable(status),
    narrowingView(status),
    button(text('popupCancel'), () => {
      actions.cancel(status.runId);
    }),
  );
}

function mediansTable({ medians }: RunStatus): HTMLElement | null {
  if (medians.length === 0) return null;
  return dataTable(
    text('popupMedians'),
    [
      { header: text('columnArm') },
      { header: metricName('timeOnWireMs'), numeric: true },
      { header: metricName('loadTimeMs'), numeric: true },
      { header: text('columnCount'), numeric: true },
    ],
    medians.map(({ arm, valid, timeOnWireMs, loadTimeMs }) => [
      armLabel(arm),
      bareMs(timeOnWireMs),
      bareMs(loadTimeMs),
      String(valid),
    ]),
  );
}

function resultView(
  run: TrackedRun,
  recordId: string,
  summary: ComparisonSummary | null,
  actions: RunActions,
): HTMLElement {
  const metric = leadingMetric(summary?.pairs ?? []);
  const pairs = summary?.pairs.filter((pair) => pair.metric === metric) ?? [];
  return element(
    'section',
    { class: 'run ended', role: 'status' },
    element('p', { class: 'origin' }, hostOf(run.status.url)),
    run.status.state === 'cancelled' ? element('p', { class: 'notice' }, text('popupStopped')) : null,
    element('h2', {}, summary ? headline(pairs, metric) : text('popupDone')),
    element(
      'ul',
      { class: 'answers' },
      ...pairs.map((pair) => {
        const { answer, interval } = verdictSentence(pair);
        return element(
          'li',
          {},
          armLabel(pair.variant, ''),
          element(
            'span',
            {},
            answer,
            interval === null ? null : element('span', { class: 'interval' }, `, ${interval}`),
          ),
        );
      }),
    ),
    element(
      'div',
      { class: 'actions' },
      button(
        text('popupSee'),
        () => {
          actions.see(recordId);
        },
        { class: 'primary' },
      ),
      button(text('popupAgain'), () => {
        actions.dismiss(run.status.runId);
      }),
    ),
  );
}

/** Failed, stopped before anything was stored, or on its way into the store. */
function endedView(run: TrackedRun, actions: RunActions): HTMLElement {
  const { status, recordId, fetchError } = run;
  const error = status.error ?? fetchError;
  if (error === null && status.state !== 'cancelled') {
    return element('section', { class: 'run', role: 'status' }, element('p', {}, text('popupStoring')));
  }
  return element(
    'section',
    { class: 'run failed', role: 'alert' },
    element('p', { class: 'origin' }, hostOf(status.url)),
    element('h2', {}, text(status.state === 'cancelled' ? 'popupStopped' : 'popupFailed')),
    ...(error ? errorParagraphs(error) : []),
    element(
      'div',
      { class: 'actions' },
      recordId === null
        ? null
        : button(text('popupSee'), () => {
            actions.see(recordId);
          }),
      button(text('popupClose'), () => {
        actions.dismiss(status.runId);
      }),
    ),
  );
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url;
}

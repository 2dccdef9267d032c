import type { Arm } from '../../shared/record/arm.ts';
import type { ComparisonRecord } from '../../shared/record/record.ts';
import type { Phases } from '../../shared/record/trial.ts';
import { endCharts } from './chart-figure.ts';
import { element } from './element.ts';
import { bareMs, formatMs, formatShare } from './format.ts';
import { phaseName, phaseOrder } from './names.ts';
import { segmented } from './segmented.ts';
import { sharePercent } from './share-percent.ts';
import { stackedBarChart, type StackedBarSpec } from './stacked-bar-chart.ts';
import { text } from './text.ts';
import { countedTrials } from './trial-metric.ts';

/** Milliseconds, or each arm's phases as shares of their sum. */
type Unit = 'ms' | 'share';

/**
 * Time per phase, summed over a page's requests and averaged over the arm's counted trials, as in figures 3
 * and 5 of Elkhatib et al. 2014. Requests overlap, so the bars are longer than the load took. By a switch the
 * same as shares of the whole, which tell what an arm spends its time on however long it takes.
 */
export function phasesChart(record: ComparisonRecord): HTMLElement | null {
  const { arms } = record.design;
  const phases = new Map(arms.map((arm) => [arm, meanPhases(record, arm)]));
  if ([...phases.values()].every((each) => phaseOrder.every((phase) => each[phase] === null))) return null;
  const length = (unit: Unit, arm: Arm, phase: keyof Phases): number | null => {
    const each = phases.get(arm);
    if (!each) return null;
    return unit === 'ms' ? each[phase] : sharePercent(each, phase);
  };

  const place = element('div');
  const control = element('div', { class: 'chart-control' });
  const choice = segmented<Unit>(
    text('phasesUnit'),
    [
      { value: 'ms', label: text('phasesInMs') },
      { value: 'share', label: text('phasesInShares') },
    ],
    'ms',
    (unit) => {
      const isOpen = place.querySelector('details')?.open ?? false;
      endCharts(place);
      place.replaceChildren(
        stackedBarChart({
          ...(unit === 'ms' ? inMs() : inShares()),
          title: text('phasesTitle'),
          control,
          arms,
          parts: phaseOrder.map((phase) => ({
            name: phaseName(phase),
            color: (palette) => palette.phases[phase],
            value: (arm) => length(unit, arm, phase),
          })),
        }),
      );
      place.querySelector('details')?.toggleAttribute('open', isOpen);
    },
  );
  control.append(choice);
  return place;
}

type Words = Pick<
  StackedBarSpec,
  'caption' | 'tableCaption' | 'fileName' | 'axisTitle' | 'most' | 'say' | 'tell'
>;

function inMs(): Words {
  return {
    caption: text('phasesCaption'),
    tableCaption: text('phasesTableCaption'),
    fileName: 'towline-phases',
    axisTitle: text('axisPhases'),
    say: formatMs,
    tell: bareMs,
  };
}

function inShares(): Words {
  const words = (percent: number | null): string => formatShare(percent === null ? null : percent / 100);
  return {
    caption: text('phasesShareCaption'),
    tableCaption: text('phasesShareTableCaption'),
    fileName: 'towline-phases-shares',
    axisTitle: text('axisPhasesShare'),
    most: 100,
    say: words,
    tell: words,
  };
}

/** Mean over the counted trials that know the phase; null where none does. */
function meanPhases(record: ComparisonRecord, arm: Arm): Phases {
  const trials = countedTrials(record, arm);
  const mean = (phase: keyof Phases): number | null => {
    const values = trials.map((trial) => trial.phases[phase]).filter((value) => value !== null);
    return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
  };
  return {
    blockedMs: mean('blockedMs'),
    dnsMs: mean('dnsMs'),
    connectMs: mean('connectMs'),
    tlsMs: mean('tlsMs'),
    sendMs: mean('sendMs'),
    waitMs: mean('waitMs'),
    receiveMs: mean('receiveMs'),
  };
}

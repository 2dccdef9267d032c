import type { Arm } from '../../shared/record/arm.ts';
import type { ComparisonRecord } from '../../shared/record/record.ts';
import type { Phases } from '../../shared/record/trial.ts';
import { bareMs, formatMs } from './format.ts';
import { phaseName, phaseOrder } from './names.ts';
import { stackedBarChart } from './stacked-bar-chart.ts';
import { text } from './text.ts';
import { countedTrials } from './trial-metric.ts';

/**
 * Time per phase, summed over a page's requests and averaged over the arm's counted trials, as in figures 3
 * and 5 of Elkhatib et al. 2014. Requests overlap, so the bars are longer than the load took.
 */
export function phasesChart(record: ComparisonRecord): HTMLElement | null {
  const { arms } = record.design;
  const phases = new Map(arms.map((arm) => [arm, meanPhases(record, arm)]));
  if ([...phases.values()].every((each) => phaseOrder.every((phase) => each[phase] === null))) return null;

  return stackedBarChart({
    title: text('phasesTitle'),
    caption: text('phasesCaption'),
    tableCaption: text('phasesTableCaption'),
    fileName: 'towline-phases',
    axisTitle: text('axisPhases'),
    arms,
    parts: phaseOrder.map((phase) => ({
      name: phaseName(phase),
      color: (palette) => palette.phases[phase],
      value: (arm) => phases.get(arm)?.[phase] ?? null,
    })),
    say: formatMs,
    tell: bareMs,
  });
}

/** Mean over the counted trials that know the phase; null where none does. */
export function meanPhases(record: ComparisonRecord, arm: Arm): Phases {
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

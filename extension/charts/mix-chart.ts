import type { Arm } from '../../shared/record/arm.ts';
import type { ComparisonRecord } from '../../shared/record/record.ts';
import { formatCount } from './format.ts';
import { armOfProtocol, protocolName } from './names.ts';
import type { Palette } from './palette.ts';
import { stackedBarChart } from './stacked-bar-chart.ts';
import { text } from './text.ts';
import { countedTrials } from './trial-metric.ts';

/**
 * Which protocols really carried a load's requests, third parties too: requests per load, mean over each arm's
 * counted trials. Null without any.
 */
export function mixChart(record: ComparisonRecord): HTMLElement | null {
  const { arms } = record.design;
  const mixes = new Map(arms.map((arm) => [arm, meanMix(record, arm)]));
  const protocols = [...new Set([...mixes.values()].flatMap((mix) => [...mix.keys()]))].sort();
  if (protocols.length === 0) return null;

  const say = (requests: number | null): string => formatCount(requests ?? 0);
  return stackedBarChart({
    title: text('mixTitle'),
    caption: text('mixCaption'),
    tableCaption: text('mixTitle'),
    fileName: 'towline-protocols',
    axisTitle: text('axisRequests'),
    arms,
    parts: protocols.map((protocol) => ({
      name: nameOf(protocol),
      color: (palette) => colorOf(protocol, palette),
      value: (arm) => mixes.get(arm)?.get(protocol) ?? 0,
    })),
    say,
    tell: say,
  });
}

function meanMix(record: ComparisonRecord, arm: Arm): Map<string, number> {
  const trials = countedTrials(record, arm);
  const mix = new Map<string, number>();
  for (const { treatment } of trials) {
    for (const [protocol, requests] of Object.entries(treatment.mix)) {
      mix.set(protocol, (mix.get(protocol) ?? 0) + requests / trials.length);
    }
  }
  return mix;
}

function nameOf(protocol: string): string {
  return protocol === 'unknown' ? text('mixUnknown') : (protocolName(protocol) ?? protocol);
}

function colorOf(protocol: string, palette: Palette): string {
  const arm = armOfProtocol(protocol);
  return arm ? palette.arms[arm] : palette.muted;
}

import pico from 'picocolors';
import { describe } from '../../shared/record/describe.ts';
import { metricNames } from '../../shared/record/names.ts';
import type { ComparisonRecord } from '../../shared/record/record.ts';
import { armTable } from './arm-table.ts';
import { fold } from './fold.ts';
import { gainGloss, gainTable } from './gain-table.ts';
import { invalidTrials } from './invalid-trials.ts';
import { roundsWanted } from './rounds-wanted.ts';
import type { TerminalFormat } from './terminal.ts';

/**
 * A whole record for the terminal: what was measured, a table per arm, the gains with their verdicts, the trials
 * that do not count and why, the network path, and what the result hangs on. Ends without a line break.
 */
export function comparisonTable(record: ComparisonRecord, { color, width }: TerminalFormat): string {
  const colors = pico.createColors(color);
  const words = describe(record);
  const { arms, pairs, confidence } = record.statistics;
  const prose = (sentences: readonly string[]): string => fold(sentences.join(' '), width);
  const section = (title: string, items: readonly string[], opening: readonly string[] = []): string[] =>
    items.length + opening.length === 0
      ? []
      : [colors.bold(title), ...opening, ...items.map((item) => fold(`- ${item}`, width, '  '))];
  const wanted = roundsWanted(record);
  const onWire = metricNames.timeOnWireMs;
  return [
    [colors.bold(words.title), ...(words.incomplete === null ? [] : [colors.yellow(words.incomplete)])],
    [prose(words.measured)],
    [
      armTable(arms, colors, width),
      '',
      colors.dim(
        prose([`10 - 90 %: the middle four fifths of the loads. ${onWire.name}: ${onWire.meaning}.`]),
      ),
    ],
    pairs.some(({ blocks }) => blocks > 0)
      ? [gainTable(pairs, colors, width), '', colors.dim(prose([gainGloss(pairs, confidence)]))]
      : ['Nothing to compare: no two arms have a valid load in the same block.'],
    wanted === null ? [] : [colors.yellow(prose([wanted]))],
    section('Not counted', invalidTrials(record.trials)),
    section('Network path', record.path.notes, [prose(words.path)]),
    section('This depends on', words.dependsOn),
    section('This does not show', words.doesNotShow),
  ]
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

import type { Arm } from '../../../../shared/record/arm.ts';
import type { Estimate, Metric, Pair } from '../../../../shared/record/statistics.ts';
import { armLabel } from '../../../charts/arm-label.ts';
import { dataTable, scrolling } from '../../../charts/data-table.ts';
import { element } from '../../../charts/element.ts';
import { bareMs, missing, percentOf, signedPercent } from '../../../charts/format.ts';
import { armName } from '../../../charts/names.ts';
import { text } from '../../../charts/text.ts';
import { sharedConfidence, type Changes } from '../../statistics/off-page-statistics.ts';
import type { Side } from './sides.ts';

/** The answer: whether the gains differ, whether the times do, each with its interval. */
export function changesSection(both: readonly [Side, Side], found: Changes, metric: Metric): HTMLElement {
  const [{ record: first }, { record: second }] = both;
  const interval = text('versusInterval', percentOf(sharedConfidence(first, second)));
  return element(
    'div',
    {},
    element('h2', { class: 'headline' }, headline(found)),
    scrolling(
      dataTable(
        text('versusGainsCaption'),
        [
          { header: text('columnPair') },
          { header: 'A', numeric: true },
          { header: 'B', numeric: true },
          { header: text('versusPoints'), numeric: true },
          { header: interval, numeric: true },
          { header: text('columnResult') },
        ],
        found.pairs.map(({ baseline, variant, change, shown }) => [
          text('gainsLabel', armName(variant), armName(baseline)),
          ...both.map((side) => gainWords(pairOf(side, baseline, variant, metric))),
          change ? signedPercent(change.value) : missing,
          intervalWords(change),
          resultWords(change, shown),
        ]),
      ),
    ),
    scrolling(
      dataTable(
        text('versusTimesCaption'),
        [
          { header: text('columnArm') },
          { header: 'A', numeric: true },
          { header: 'B', numeric: true },
          { header: text('versusLonger'), numeric: true },
          { header: interval, numeric: true },
          { header: text('columnResult') },
        ],
        found.arms.map(({ arm, change, shown }) => [
          armLabel(arm),
          ...both.map((side) => bareMs(medianOf(side, arm, metric))),
          change ? signedPercent(change.value) : missing,
          intervalWords(change),
          resultWords(change, shown),
        ]),
      ),
    ),
  );
}

function headline({ arms, pairs }: Changes): string {
  if (pairs.length === 0 && arms.length === 0) return text('versusNothingShared');
  const gainsDiffer = pairs.some(({ shown }) => shown);
  const timesDiffer = arms.some(({ shown }) => shown);
  if (gainsDiffer) return text('versusGainsDiffer');
  if ([...arms, ...pairs].every(({ change }) => (change?.low ?? null) === null))
    return text('headlineNotEnough');
  return text(timesDiffer ? 'versusOnlyTimes' : 'versusNoDifference');
}

function resultWords(change: Estimate | null, shown: boolean): HTMLElement | string {
  if ((change?.low ?? null) === null) return text('countNotEnough');
  return shown ? element('strong', {}, text('versusChanged')) : text('versusNotShown');
}

function intervalWords(change: Estimate | null): string {
  const [low, high] = [change?.low ?? null, change?.high ?? null];
  return low === null || high === null
    ? missing
    : text('intervalPlain', signedPercent(low), signedPercent(high));
}

function gainWords(pair: Pair | undefined): string {
  return pair?.reductionPercent ? signedPercent(pair.reductionPercent.value) : missing;
}

function pairOf({ record }: Side, baseline: Arm, variant: Arm, metric: Metric): Pair | undefined {
  return record.statistics.pairs.find(
    (pair) => pair.metric === metric && pair.baseline === baseline && pair.variant === variant,
  );
}

function medianOf({ record }: Side, arm: Arm, metric: Metric): number | null {
  return record.statistics.arms.find((each) => each.arm === arm)?.metrics[metric]?.median ?? null;
}

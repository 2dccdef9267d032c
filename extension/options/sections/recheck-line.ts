import type { ComparisonRecord } from '../../../shared/record/record.ts';
import type { Statistics } from '../../../shared/record/statistics.ts';
import { element } from '../../charts/element.ts';
import { text } from '../../charts/text.ts';
import { whenIdle } from '../../charts/when-idle.ts';
import type { OffPageStatistics } from '../statistics/off-page-statistics.ts';

/**
 * Says whether this browser finds the same figures in the page loads as the record has: nobody needs to trust
 * whoever wrote it. Filled in once they are reckoned.
 */
export function recheckLine(record: ComparisonRecord, statistics: OffPageStatistics): HTMLElement {
  const line = element('p', { class: 'caption recheck', role: 'status' }, text('recheckUnderWay'));
  // After the page is drawn: handing over the record and starting the worker would only hold that up.
  whenIdle(() => {
    // The person has gone on: nobody would read it, and it would hold up the page they went to.
    if (!line.isConnected) return;
    statistics.summarise(record).then(
      (again) => {
        line.textContent = sameFigures(record.statistics, again)
          ? text('recheckSame')
          : text('recheckOther', record.environment.towlineVersion);
      },
      (error: unknown) => {
        line.textContent = text('recheckFailed', String(error));
      },
    );
  });
  return line;
}

/** The point estimates, intervals and verdicts are equal, but for the last digits of another machine's arithmetic. */
export function sameFigures(told: Statistics, found: Statistics): boolean {
  return same(told.arms, found.arms) && same(told.pairs, found.pairs);
}

function same(one: unknown, other: unknown): boolean {
  if (typeof one === 'number' && typeof other === 'number') {
    return Math.abs(one - other) <= 1e-6 * Math.max(1, Math.abs(one));
  }
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return one === other;
  const [first, second] = [new Map(Object.entries(one)), new Map(Object.entries(other))];
  return first.size === second.size && [...first].every(([key, value]) => same(value, second.get(key)));
}

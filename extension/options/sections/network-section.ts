import type { LossMeasurement, Path } from '../../../shared/record/path.ts';
import { describePath } from '../../../shared/record/describe-path.ts';
import { dataTable, scrolling } from '../../charts/data-table.ts';
import { element } from '../../charts/element.ts';
import { formatMs, formatRate, formatShare, missing } from '../../charts/format.ts';
import { retell } from '../../charts/retell.ts';
import { text } from '../../charts/text.ts';
import { section } from './section.ts';

/** The path: as asked beside as measured where it was shaped, in sentences where it was not. */
export function networkSection(path: Path): HTMLElement | null {
  const { asked, measuredBefore: measured } = path;
  const rate = (bitsPerSecond: number | null): string =>
    bitsPerSecond === null ? text('networkUnlimited') : formatRate(bitsPerSecond);
  const [between] = describePath(path);
  return section(
    text('sectionNetwork'),
    between === undefined ? null : element('p', {}, retell(between)),
    asked &&
      scrolling(
        dataTable(
          text('networkCaption'),
          [
            { header: text('columnWhat') },
            { header: text('columnAsked'), numeric: true },
            { header: text('columnMeasured'), numeric: true },
          ],
          [
            [text('networkRtt'), formatMs(asked.rttMs), formatMs(measured?.rttMs ?? null)],
            [
              text('networkDown'),
              rate(asked.downBitsPerSecond),
              formatRate(measured?.downBitsPerSecond ?? null),
            ],
            [text('networkUp'), rate(asked.upBitsPerSecond), formatRate(measured?.upBitsPerSecond ?? null)],
            [
              text('networkLossDown'),
              formatShare(asked.lossDownRatio),
              lossWords(measured?.lossDown ?? null),
            ],
            [text('networkLossUp'), formatShare(asked.lossUpRatio), lossWords(measured?.lossUp ?? null)],
            [text('networkQueue'), text('networkPackets', String(asked.queuePackets)), missing],
          ],
        ),
      ),
    path.notes.length > 0 &&
      element('ul', { class: 'notes' }, ...path.notes.map((note) => element('li', {}, retell(note)))),
  );
}

function lossWords(loss: LossMeasurement | null): string {
  if (!loss) return missing;
  return text('networkLost', formatShare(loss.ratio), String(loss.lost), String(loss.sent));
}

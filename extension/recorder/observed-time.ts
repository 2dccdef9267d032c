import type { KeylessTime, NoTimeReason, ObservedTime } from '../../shared/record/observed-time.ts';
import { element } from '../charts/element.ts';
import { formatMs } from '../charts/format.ts';
import { text } from '../charts/text.ts';

/** "412 ms ± 3 ms": a time and how far it may lie from the truth. */
export function timeWithBound({ valueMs, errorBoundMs }: KeylessTime): string {
  return `${formatMs(valueMs)} ± ${formatMs(errorBoundMs)}`;
}

/** Time on Wire of an observed load, as one line, or why there is none. */
export function observedTime(wire: ObservedTime): HTMLElement {
  const line = element('p', { class: 'observed-time' }, text('observedTime'), ' ');
  if (wire.missing !== null) {
    line.append(element('span', { class: 'caption' }, text('observedNoTime', reasonWords(wire.missing))));
    if (wire.detail !== null) line.append(' ', element('span', { class: 'caption' }, wire.detail));
    return line;
  }
  const { timeOnWire, connections, reusedConnections } = wire;
  const about = text('observedConnections', String(connections), String(reusedConnections));
  line.append(
    element('strong', {}, timeWithBound(timeOnWire)),
    ' ',
    element('span', { class: 'caption' }, about),
  );
  return line;
}

function reasonWords(reason: NoTimeReason): string {
  return {
    unanswered: text('noTimeUnanswered'),
    'not-captured': text('noTimeNotCaptured'),
    'no-addresses': text('noTimeNoAddresses'),
    'in-the-clear': text('noTimeInTheClear'),
    left: text('noTimeLeft'),
    shared: text('noTimeShared'),
    busy: text('noTimeBusy'),
    'late-capture': text('noTimeLateCapture'),
    lost: text('noTimeLost'),
    'too-much': text('noTimeTooMuch'),
    'no-packets': text('noTimeNoPackets'),
  }[reason];
}

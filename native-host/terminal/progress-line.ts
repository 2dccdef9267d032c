import type { RunStatus } from '../../shared/messages/run-status.ts';
import { armNames, counted } from '../../shared/record/names.ts';
import type { TerminalFormat } from './terminal.ts';

/** How far a run is, in one line shorter than the terminal is wide, so that it can be overwritten. */
export function progressLine(status: RunStatus, { width }: Pick<TerminalFormat, 'width'>): string {
  const parts = partsOf(status);
  // The least important part goes first: medians, then what is going on; the count and the time left stay.
  for (const dropped of [[], ['medians'], ['medians', 'activity'], ['medians', 'activity', 'left']]) {
    const line = parts
      .filter(({ name, text }) => text !== '' && !dropped.includes(name))
      .map(({ text }) => text)
      .join(' | ');
    if (line.length < width) return line;
  }
  return (parts[0]?.text ?? '').slice(0, Math.max(0, width - 1));
}

function partsOf(status: RunStatus): { name: string; text: string }[] {
  const { state, trialsDone, trialsPlanned, trialsValid, activity, currentArm, remainingMs } = status;
  if (state === 'preparing' || state === 'measuring-path') return [{ name: 'now', text: activity }];
  if (state !== 'running') {
    const text = `${activity}: ${trialsValid} of ${counted(trialsDone, 'trial')} valid`;
    return [{ name: 'now', text }];
  }
  const number = Math.min(trialsDone + 1, trialsPlanned);
  return [
    { name: 'count', text: `Trial ${number} of ${trialsPlanned}` },
    { name: 'activity', text: currentArm === null ? activity : `${currentArm} (${armNames[currentArm]})` },
    { name: 'medians', text: medians(status) },
    { name: 'left', text: remainingMs === null ? '' : `${duration(remainingMs)} left` },
  ];
}

/** Time on Wire where any arm has it, else load time, which needs no capture. */
function medians({ medians: soFar }: RunStatus): string {
  const onWire = soFar.some(({ timeOnWireMs }) => timeOnWireMs !== null);
  const figures = soFar.flatMap(({ arm, timeOnWireMs, loadTimeMs }) => {
    const figure = onWire ? timeOnWireMs : loadTimeMs;
    return figure === null ? [] : [`${arm} ${Math.round(figure)} ms`];
  });
  if (figures.length === 0) return '';
  return `${onWire ? 'Time on Wire' : 'load time'} so far: ${figures.join(', ')}`;
}

function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

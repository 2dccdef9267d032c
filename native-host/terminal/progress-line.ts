import type { RunStatus } from '../../shared/messages/run-status.ts';
import { armNames, counted } from '../../shared/record/names.ts';
import type { TerminalFormat } from './terminal.ts';

/** How far a run is, in one line shorter than the terminal is wide, so that it can be overwritten. */
export function progressLine(status: RunStatus, { width }: Pick<TerminalFormat, 'width'>): string {
  const parts = partsOf(status);
  // The least important part goes first; the count stays. How narrow the intervals are matters most where that ends
  // the run.
  const steered = status.narrowing?.precisionPercent != null;
  const leastFirst = steered
    ? ['medians', 'activity', 'narrowing', 'left']
    : ['narrowing', 'medians', 'activity', 'left'];
  for (let count = 0; count <= leastFirst.length; count++) {
    const dropped = leastFirst.slice(0, count);
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
  const steered = status.narrowing?.precisionPercent != null;
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
    { name: 'narrowing', text: narrowing(status) },
    {
      name: 'left',
      text: remainingMs === null ? '' : `${steered ? 'at most ' : ''}${duration(remainingMs)} left`,
    },
  ];
}

/** The widest interval when there first was one, and now: the answer is known to so much on either side. */
function narrowing({ narrowing: soFar }: RunStatus): string {
  const [first] = soFar?.halfWidthsPercent ?? [];
  const last = soFar?.halfWidthsPercent.at(-1);
  if (soFar === null || first === undefined || last === undefined) return '';
  const way = soFar.halfWidthsPercent.length > 1 ? `± ${percent(first)} -> ` : '';
  const goal = soFar.precisionPercent === null ? '' : ` (goal ± ${percent(soFar.precisionPercent)} %)`;
  return `interval ${way}± ${percent(last)} %${goal}`;
}

function percent(points: number): string {
  return String(Number(points.toFixed(points < 10 ? 1 : 0)));
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

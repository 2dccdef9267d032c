import pc from 'picocolors';
import type { Checkup, DoctorReport } from '../../shared/messages/doctor-report.ts';

const sections: Record<Checkup['section'], string> = {
  measuring: 'Measuring',
  browsers: 'Browsers',
  network: 'A network of its own for each trial',
  lab: 'Lab',
  extension: 'Extension',
};

const stateWidth = 'warning'.length;

/**
 * The report for a person: what is well in one line each, what is not with its cure below it.
 *
 * @param color whether the terminal shows colours
 */
export function doctorReportText({ checkups, ready, cleaned }: DoctorReport, color: boolean): string {
  const paint = pc.createColors(color);
  const states: Record<Checkup['state'], string> = {
    ok: paint.green('ok'.padEnd(stateWidth)),
    warning: paint.yellow('warning'),
    missing: paint.red('missing'),
  };
  const titleWidth = Math.max(...checkups.map(({ title }) => title.length));
  const indent = ' '.repeat(2 + stateWidth + 2 + titleWidth + 2);
  const lines = (checkup: Checkup): string[] => {
    const { state, title, found, purpose, remedy } = checkup;
    const first = `  ${states[state]}  ${title.padEnd(titleWidth)}  ${found}`;
    if (state === 'ok') return [first];
    return [
      first,
      `${indent}${paint.dim(`It ${purpose}.`)}`,
      ...(remedy === null ? [] : [`${indent}${paint.bold(remedy)}`]),
    ];
  };

  const blocks = Object.entries(sections).flatMap(([section, heading]) => {
    const members = checkups.filter((checkup) => checkup.section === section);
    return members.length === 0 ? [] : [[paint.bold(heading), ...members.flatMap(lines)].join('\n')];
  });
  if (cleaned !== null) {
    const done = cleaned.length === 0 ? ['Nothing was left behind.'] : cleaned;
    blocks.push([paint.bold('Cleaned'), ...done.map((sentence) => `  ${sentence}`)].join('\n'));
  }
  return [...blocks, verdict(checkups, ready)].join('\n\n');
}

function verdict(checkups: readonly Checkup[], ready: boolean): string {
  const lacking = checkups.filter(({ required, state }) => required && state === 'missing');
  if (!ready) return `towline compare needs ${lacking.map(({ title }) => title).join(' and ')}.`;
  return checkups.every(({ state }) => state === 'ok')
    ? 'All is well.'
    : 'towline compare can measure; what is marked above limits or eases it.';
}

import type { Arm } from '../../shared/record/arm.ts';
import type { Rule, Trial } from '../../shared/record/trial.ts';

/** Faults that a further try cannot mend: the server does not speak the protocol, or is not there. */
const lasting: readonly Rule[] = ['protocol-browser'];
const lastingErrors = [
  'load-timeout',
  'browser-failed',
  'preference-in-the-way',
  'protocol-refused',
  'certificate-invalid',
  'name-not-resolved',
  'host-unreachable',
];

/** An arm is given up when it failed this often in a row, each time for a lasting reason, and never was valid. */
const patience = 2;

/**
 * Arms not worth another trial, with the reason. Without this a server that speaks only HTTP/1.1 would be
 * asked for HTTP/2 in every block, and every block be repeated for it.
 */
export function hopelessArms(trials: readonly Trial[]): Map<Arm, string> {
  const given = new Map<Arm, string>();
  for (const arm of new Set(trials.map((trial) => trial.arm))) {
    const mine = trials.filter((trial) => trial.arm === arm);
    if (mine.some(({ verdict }) => verdict.valid) || mine.length < patience) continue;
    const last = mine.slice(-patience);
    if (last.every(failedForGood)) given.set(arm, reasonOf(last.at(-1)));
  }
  return given;
}

function reasonOf(trial: Trial | undefined): string {
  return trial?.error?.message ?? trial?.verdict.reasons[0] ?? 'it failed';
}

function failedForGood({ error, verdict }: Trial): boolean {
  if (error) return lastingErrors.includes(error.code);
  return verdict.checks.some(({ rule, passed }) => passed === false && lasting.includes(rule));
}

import type { Checkup, DoctorReport } from '../../shared/messages/doctor-report.ts';
import { browserPlaces } from '../install/browsers.ts';
import { checkBrowsers } from '../install/check-browsers.ts';
import { checkHost } from '../install/check-host.ts';
import { checkLab } from '../install/check-lab.ts';
import { checkMeasuring } from '../install/check-measuring.ts';
import { checkNetwork } from '../install/check-network.ts';
import { foundBrowsers } from '../install/choose-targets.ts';
import type { Machine } from '../install/machine.ts';
import { readPlaces } from '../install/places.ts';
import { thisMachine } from '../install/this-machine.ts';
import { cleanUp } from './clean-up.ts';
import { doctorReportText } from './doctor-report-text.ts';
import { greetHost } from './greet-host.ts';
import { towlineVersion } from './towline-version.ts';

export interface DoctorOptions {
  json: boolean;
  /** Puts in order what dead runs left. */
  clean: boolean;
  color: boolean;
}

/** What the doctor examines. */
export interface Patient {
  machine: Machine;
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * `towline doctor`: says what Towline finds on this machine, what each thing is for, and what mends what is
 * missing.
 *
 * @returns the exit status: 0 when what `compare` needs is there, 3 otherwise
 */
export async function doctor(
  { json, clean, color }: DoctorOptions,
  print: (text: string) => void,
  patient: Patient = { machine: thisMachine, env: process.env },
): Promise<number> {
  const cleaned = clean ? await cleanUp(patient.machine.isRoot, patient.env) : null;
  const checkups = await examine(patient);
  const ready = checkups.every(({ required, state }) => !required || state !== 'missing');
  const report: DoctorReport = { towlineVersion, ready, checkups, cleaned };
  print(json ? JSON.stringify(report, null, 2) : doctorReportText(report, color));
  return ready ? 0 : 3;
}

async function examine({ machine, env }: Patient): Promise<Checkup[]> {
  const places = readPlaces(env);
  const checkups = [
    ...(await checkMeasuring(machine)),
    ...(await checkBrowsers(browserPlaces(places), places, env.PATH)),
    ...(await checkNetwork(machine)),
    ...checkLab(machine),
  ];
  for (const browser of foundBrowsers(places, env.PATH)) {
    checkups.push(await checkHost(browser, places, env.PATH, greetHost));
  }
  return checkups;
}

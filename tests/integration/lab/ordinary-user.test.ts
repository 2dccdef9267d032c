import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { hasNetem } from '../../../native-host/network/has-netem.ts';
import { readRecord } from '../../../shared/record/read-record.ts';
import type { ComparisonRecord } from '../../../shared/record/record.ts';
import { buildPrograms, runOnFakeHost } from '../../support/capsule-program.ts';
import type { Outcome } from '../network/programs/person.ts';

const quick = ['--rounds', '1', '--gap', '0', '--json', 'HOME/record.json'];

/** The record of a lab whose page was loaded whole, with Time on Wire, in every arm asked for. */
function measured({ record, stderr }: Outcome, arms: readonly string[]): ComparisonRecord {
  expect(stderr).not.toContain('towline:');
  const read = readRecord(record ?? '', 'record.json');
  expect(read.path.kind).toBe('lab');
  for (const arm of arms) {
    const loads = read.trials.filter((trial) => trial.arm === arm && trial.error === null);
    expect(loads.length).toBeGreaterThan(0);
    for (const { wire, resources, treatment } of loads) {
      expect(wire?.method).toBe('keyed');
      expect(wire?.timeOnWireMs.value).toBeGreaterThan(0);
      expect(resources).toHaveLength(7);
      expect(treatment.wireByteShare).toBe(1);
    }
  }
  return read;
}

test('an ordinary user has labs of each kind, and a shaped one where this kernel or a tap device allows', async () => {
  const programs = await buildPrograms(['person', 'name-server']);
  const errand = (tunForAll: boolean, ...args: string[]) => ({
    ...{ tunForAll, wrapper: [] },
    args: ['compare', 'lab:twitter', ...args, ...quick],
  });
  const outcomes = await runOnFakeHost(programs.person, {
    checkout: resolve(import.meta.dirname, '../../..'),
    nameServer: programs['name-server'],
    errands: [
      errand(false, '--arms', 'h2,h3', '--shards', '2', '--initcwnd', '3'),
      errand(false, '--arms', 'h1,h2', '--server', 'apache', '--streams', '2'),
      errand(false, '--arms', 'h2', '--shape', 'rtt=20ms'),
      errand(true, '--arms', 'h2', '--shape', 'rtt=20ms'),
    ],
  });
  const [caddy, apache, withoutTun, withTun] = outcomes as [Outcome, Outcome, Outcome, Outcome];
  expect(measured(caddy, ['h2', 'h3']).target.lab?.servers).toHaveLength(2);
  expect(measured(apache, ['h1', 'h2']).target.lab?.server).toContain('Apache httpd');
  // Root would be refused the browser's sandbox.
  for (const { chromium } of [caddy, apache]) {
    expect(chromium.length).toBeGreaterThan(0);
    expect(chromium.flatMap((each) => each.arguments)).not.toContain('--no-sandbox');
    expect(chromium.filter(({ uid }) => uid === 0)).toEqual([]);
  }
  // The shaped network was made; whether it holds its shape beside other work is not this test's to say.
  expect(withTun.stderr).toContain('Measuring the network before it is used');
  if (await hasNetem()) {
    expect(measured(withoutTun, ['h2']).path.router).toBe('namespace');
  } else {
    expect(withoutTun.status).toBe(3);
    expect(withoutTun.stderr).toMatch(/no netem.*\/dev\/net\/tun.*chmod 0666 \/dev\/net\/tun/s);
  }
});

import { resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readRecord } from '../../../shared/record/read-record.ts';
import { buildPrograms, runOnFakeHost } from '../../support/capsule-program.ts';
import type { ChromiumProcess } from '../../support/chromium-sandbox.ts';
import { worldAddresses } from '../../support/fake-host.ts';
import { siteName } from '../../support/fake-site.ts';
import type { Errand, Outcome } from '../network/programs/person.ts';

/**
 * Forbids further user namespaces below one of its own, then runs the rest of its arguments there without rights.
 * The script is constant.
 */
const forbidUserNamespaces = [
  ...['unshare', '--user', '--map-current-user', '--keep-caps', 'sh', '-c'],
  'echo 0 >/proc/sys/user/max_user_namespaces && exec setpriv --ambient-caps=-all --inh-caps=-all -- "$@"',
  'sh',
];

const quick = ['--rounds', '1', '--gap', '0', '--json', 'HOME/record.json'];

/** Runs `towline` as a user without rights, on a host of the test's own with a site in the world behind it. */
async function asOrdinaryUser(errand: Errand): Promise<Outcome> {
  const argument = {
    checkout: resolve(import.meta.dirname, '../../..'),
    nameServer: programs['name-server'],
    errands: [errand],
  };
  const [outcome] = (await runOnFakeHost(programs.person, argument)) as [Outcome];
  return outcome;
}

let programs: Record<'person' | 'name-server', string>;
beforeAll(async () => {
  programs = await buildPrograms(['person', 'name-server']);
});

/**
 * What Chromium's sandbox makes of the processes that hold pages, as the kernel tells it: nobody's rights, namespaces
 * of their own, system calls filtered. Source: docs/linux/sandboxing.md of Chromium.
 */
function expectSandboxed({ chromium }: Outcome): void {
  expect(chromium.flatMap((each) => each.arguments)).not.toContain('--no-sandbox');
  expect(chromium.filter(({ uid }) => uid === 0)).toEqual([]);
  // One that has just begun is not sandboxed yet, and holds no page.
  const renderers = chromium.filter(({ type, seccomp }) => type === 'renderer' && seccomp !== 0);
  expect(renderers.length).toBeGreaterThan(0);
  for (const renderer of renderers) {
    expect(renderer).toMatchObject({ seccomp: 2, capabilities: '0000000000000000' });
    const browser = browserOf(renderer, chromium);
    expect(renderer.pidDepth).toBeGreaterThan(browser?.pidDepth ?? Infinity);
    expect(renderer.userNamespace).not.toBe(browser?.userNamespace);
    expect(renderer.networkNamespace).not.toBe(browser?.networkNamespace);
  }
}

/**
 * The browser that a process descends from. That of another trial would say nothing: the kernel gives a namespace the
 * number of one that is gone.
 */
function browserOf(child: ChromiumProcess, all: readonly ChromiumProcess[]): ChromiumProcess | undefined {
  let at: ChromiumProcess | undefined = child;
  while (at?.profile === null) {
    const { parent }: ChromiumProcess = at;
    at = all.find(({ pid }) => pid === parent);
  }
  return at;
}

// Each has a host, a site and several browsers to start.
describe('an ordinary user, without groups or sudo', { timeout: 600_000 }, () => {
  test('compares over pasta, with Time on Wire and the browser in its sandbox', async () => {
    const outcome = await asOrdinaryUser({
      tunForAll: true,
      wrapper: [],
      args: ['compare', 'URL', '--network', 'rootless', '--pcap', 'HOME/pcap', ...quick],
    });
    expect(outcome.stderr).not.toContain('towline:');
    const record = readRecord(outcome.record ?? '', 'record.json');
    expect(record.path.kind).toBe('rootless');
    for (const arm of ['h1', 'h2', 'h3']) {
      const trials = record.trials.filter((trial) => trial.arm === arm && trial.error === null);
      expect(trials.length).toBeGreaterThan(0);
      for (const { wire, treatment } of trials) {
        expect(wire?.method).toBe('keyed');
        expect(wire?.timeOnWireMs.value).toBeGreaterThan(0);
        expect(treatment.wireByteShare).toBe(1);
      }
    }
    expectSandboxed(outcome);

    // Names are asked for in packets, of the host's resolver, and no other way leads out.
    const [resolver] = worldAddresses;
    expect(outcome.questions.length).toBe(record.trials.length);
    for (const questions of outcome.questions) expect(questions).toContain(`${resolver} ${siteName}`);
    expect(outcome.nameSockets).toEqual([]);
  });

  test('without a tap device: compares on the host’s network, and says what is missing and why', async () => {
    const outcome = await asOrdinaryUser({
      tunForAll: false,
      wrapper: [],
      args: ['compare', 'URL', '--arms', 'h1,h2', ...quick],
    });
    const record = readRecord(outcome.record ?? '', 'record.json');
    expect(record.path.kind).toBe('none');
    expect(record.path.notes.join(' ')).toMatch(
      /\/dev\/net\/tun may not be opened.*chmod 0666 \/dev\/net\/tun/,
    );
    expect(outcome.stderr).toMatch(/\/dev\/net\/tun may not be opened/);
    const [trial] = record.trials;
    expect(trial?.navigation?.loadEventEndMs).toBeGreaterThan(0);
    expect(trial?.wire).toBeNull();
    expect(outcome.stdout).toMatch(/Time on Wire of \d+ trials?: Capturing on wan is not\s+allowed/);
    expectSandboxed(outcome);
  });

  test('where user namespaces are forbidden: the browser is not run without its sandbox, and the cure is named', async () => {
    const outcome = await asOrdinaryUser({
      tunForAll: true,
      wrapper: forbidUserNamespaces,
      args: ['compare', 'URL', '--arms', 'h1', ...quick],
    });
    expect(outcome.stderr).toMatch(/forbids user namespaces/);
    expect(outcome.stderr).toMatch(/cannot start its sandbox.*never run without it/);
    expect(outcome.stderr).toMatch(/sudo sysctl -w user.max_user_namespaces/);
    expect(outcome.status).toBe(3);
    expect(outcome.chromium.flatMap((each) => each.arguments)).not.toContain('--no-sandbox');
  });
});

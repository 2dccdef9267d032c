import { expect, test } from 'vitest';
import { checkLab } from '../../../../native-host/install/check-lab.ts';
import { checkMeasuring } from '../../../../native-host/install/check-measuring.ts';
import { checkNetwork } from '../../../../native-host/install/check-network.ts';
import type { Checkup } from '../../../../shared/messages/doctor-report.ts';
import { fakeMachine } from './fake-machine.ts';

function byId(checkups: readonly Checkup[], id: string): Checkup {
  return checkups.find((checkup) => checkup.id === id) ?? expect.fail(`There is no checkup ${id}.`);
}

test('on a machine that has everything, all is well and nothing is to be mended', async () => {
  const machine = fakeMachine();
  const checkups = [
    ...(await checkMeasuring(machine)),
    ...(await checkNetwork(machine)),
    ...checkLab(machine),
  ];
  expect(checkups.filter(({ state, remedy }) => state !== 'ok' || remedy !== null)).toEqual([]);
  expect(new Set(checkups.map(({ id }) => id)).size).toBe(checkups.length);
});

test.each([
  ['20.18.9', 'missing'],
  ['20.19.0', 'ok'],
  ['22.0.0', 'ok'],
  ['18.20.0', 'missing'],
])('Node %s is %s', async (nodeVersion, state) => {
  expect(byId(await checkMeasuring(fakeMachine({ nodeVersion })), 'node')).toMatchObject({
    state,
    required: true,
  });
});

test('packets need libpcap or tcpdump', async () => {
  const loadCaptureAddon = (): Promise<string> => Promise.resolve('libpcap.so.1: cannot open');
  const withTcpdump = await checkMeasuring(fakeMachine({ loadCaptureAddon }));
  expect(byId(withTcpdump, 'capture-libpcap')).toMatchObject({ state: 'warning', required: false });

  const withNeither = await checkMeasuring(fakeMachine({ loadCaptureAddon, find: () => null }));
  expect(byId(withNeither, 'capture-libpcap')).toMatchObject({
    state: 'missing',
    required: true,
    remedy: expect.stringContaining('libpcap-dev') as string,
  });
});

// The settings by which distributions forbid user namespaces, and what unshare then says.
test.each([
  [
    'Ubuntu 23.10 and later',
    { '/proc/sys/kernel/apparmor_restrict_unprivileged_userns': '1\n' },
    'sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0',
  ],
  [
    'an old or hardened Debian',
    { '/proc/sys/kernel/unprivileged_userns_clone': '0\n' },
    'sudo sysctl -w kernel.unprivileged_userns_clone=1',
  ],
  [
    'a hardened RHEL',
    { '/proc/sys/user/max_user_namespaces': '0\n' },
    'sudo sysctl -w user.max_user_namespaces=15000',
  ],
])('%s: user namespaces are forbidden, and the cure is named', async (_, settings, remedy) => {
  const files = new Map<string, string>(Object.entries(settings));
  const machine = fakeMachine({
    read: (path) => files.get(path) ?? null,
    run: () =>
      Promise.resolve({
        status: 1,
        stdout: '',
        stderr: 'unshare: unshare failed: Operation not permitted\n',
      }),
  });
  expect(byId(await checkNetwork(machine), 'namespaces')).toMatchObject({
    state: 'missing',
    found: 'unshare: unshare failed: Operation not permitted',
    remedy,
  });
});

test('a namespace is really tried, in a user namespace for whoever is not root', async () => {
  const tried: string[] = [];
  const run = (argv: readonly string[]): Promise<null> => {
    tried.push(argv.join(' '));
    return Promise.resolve(null);
  };
  await checkNetwork(fakeMachine({ run }));
  await checkNetwork(fakeMachine({ run, isRoot: true }));
  expect(tried).toEqual([
    'unshare --user --map-root-user --net --mount --pid --fork -- true',
    'unshare --net --mount --pid --fork -- true',
  ]);
});

test.each([
  [null, false, 'missing', 'sudo modprobe tun'],
  [0o600, false, 'missing', 'sudo chmod 0666 /dev/net/tun'],
  [0o600, true, 'ok', null],
  [0o666, true, 'ok', null],
])('/dev/net/tun of mode %s, usable: %s', async (mode, usable, state, remedy) => {
  const machine = fakeMachine({ modeOf: () => mode, mayUse: () => usable });
  expect(byId(await checkNetwork(machine), 'tun')).toMatchObject({ state, remedy });
});

test('without netem, User-Mode Linux is asked for', async () => {
  const hasNetem = (): Promise<boolean> => Promise.resolve(false);
  const replaced = await checkNetwork(fakeMachine({ hasNetem }));
  expect(byId(replaced, 'netem')).toMatchObject({ state: 'warning', remedy: null });
  expect(byId(replaced, 'linux-uml').state).toBe('ok');

  const neither = await checkNetwork(fakeMachine({ hasNetem, find: () => null }));
  expect(byId(neither, 'netem')).toMatchObject({ state: 'missing', remedy: 'sudo modprobe sch_netem' });
  expect(byId(neither, 'linux-uml').remedy).toBe('sudo apt-get install user-mode-linux');
});

test('a missing program is named with the package that has it', async () => {
  const checkups = await checkNetwork(fakeMachine({ find: () => null }));
  expect(byId(checkups, 'pasta').remedy).toBe('sudo apt-get install passt');
  expect(byId(checkups, 'tc').remedy).toBe('sudo apt-get install iproute2');
});

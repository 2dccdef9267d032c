import { mkdtemp } from 'node:fs/promises';
import { enterCapsule, setNameLookup, type Capsule } from '../../native-host/network/enter-capsule.ts';
import { addVeth, linkMac } from '../../native-host/network/links.ts';
import { addNamespace, nameMainNamespace, type Namespace } from '../../native-host/network/namespaces.ts';
import { runIpBatch, runTool } from '../../native-host/network/run-tool.ts';

/** A host that a test can do with as it likes, and a world behind its interface `wan`. */
export interface FakeHost {
  capsule: Capsule;
  world: Namespace;
}

/** The world's own addresses, of the blocks for documentation (RFC 5737, RFC 3849), and the host's. */
export const worldAddresses = ['203.0.113.1', '2001:db8::1'] as const;
export const hostAddresses = ['203.0.113.2', '2001:db8::2'] as const;

const mtuBytes = 1400;

/** Makes the host of the process's own capsule, which is of kind `lab`. Its resolver is the world. */
export async function makeFakeHost(): Promise<FakeHost> {
  const capsule = await enterCapsule();
  const main = await nameMainNamespace();
  const world = await addNamespace('world', 'host');
  const [world4, world6] = worldAddresses;
  const [host4, host6] = hostAddresses;
  await addVeth(
    {
      namespace: world,
      device: 'host',
      mac: linkMac(0, 1, 'outer'),
      v4: world4,
      v6: world6,
      alias: 'fake-host',
    },
    { namespace: main, device: 'wan', mac: linkMac(0, 1, 'inner'), v4: host4, v6: host6, alias: 'fake-host' },
    mtuBytes,
  );
  await runIpBatch(
    [],
    [
      ['link', 'set', 'lo', 'up'],
      // As every real interface has one; pasta leaves IPv6 out without it.
      ['address', 'add', 'fe80::2/64', 'dev', 'wan', 'nodad'],
      ['route', 'add', '0.0.0.0/0', 'via', world4],
      ['route', 'add', '::/0', 'via', world6],
    ],
  );
  await setNameLookup(capsule, { hosts: [], nameservers: [world4] });
  // What the real host's directory for dead runs holds is not this one's.
  await runTool(['mount', '-t', 'tmpfs', 'tmpfs', '/var/lib']);
  return { capsule, world };
}

/**
 * Puts a tun device in the place of the machine's own, seen in this capsule alone.
 * @param mode `0666` as ordinary distributions have it, `0600` where ordinary users are kept from it
 */
export async function putTunDevice(mode: '0600' | '0666'): Promise<void> {
  const directory = await mkdtemp('/run/device-');
  await runTool(['mount', '-t', 'tmpfs', '-o', 'mode=755,dev', 'tmpfs', directory]);
  await runTool(['mknod', '-m', mode, `${directory}/tun`, 'c', '10', '200']);
  await runTool(['mount', '--bind', `${directory}/tun`, '/dev/net/tun']);
}

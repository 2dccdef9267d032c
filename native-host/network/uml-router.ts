import { TowlineError } from '../../shared/errors/towline-error.ts';
import { bringUp, bringUpCommands, type LinkAddress, type LinkEnd } from './links.ts';
import type { Namespace } from './namespaces.ts';
import type { RouterEnds, RouterNeighbours } from './namespace-router.ts';
import type { Router } from './router.ts';
import { runIpBatch, runTool } from './run-tool.ts';
import { tunRemedy } from './tun-remedy.ts';
import { UmlGuest } from './uml-guest.ts';

/** What waits for the guest to read it must not be dropped by the tap, which would be a loss nobody asked for. */
const tapQueuePackets = '10000';

/**
 * A router in a User-Mode Linux guest, where this kernel lacks netem. Its cards are taps of ours, and the guest
 * runs at the edge: taps outlive whoever made them, but not the namespace they are in.
 */
export async function openUmlRouter(
  neighbours: RouterNeighbours,
  ends: RouterEnds,
  mtuBytes: number,
  scratch: string,
): Promise<Router> {
  requireTun();
  const { namespace: home } = neighbours.edge;
  await runIpBatch(
    home.enter,
    [neighbours.edge, neighbours.far].flatMap(({ device, mac }) => [
      ['tuntap', 'add', 'dev', device, 'mode', 'tap'],
      ['link', 'set', device, 'address', mac, 'txqueuelen', tapQueuePackets],
    ]),
  );

  const guest = await UmlGuest.boot(scratch, home.enter, [
    { tap: neighbours.edge.device, mac: ends.down.mac },
    { tap: neighbours.far.device, mac: ends.up.mac },
  ]);
  try {
    // A card opens its tap by name, where the guest was started, when it is taken up; only then may the tap move.
    // Until it has arrived and is up the guest must not send: a refused packet would block the card for good.
    for (const [card, { device }] of [
      ['vec0', ends.down],
      ['vec1', ends.up],
    ] as const) {
      await guest.run(['ip', 'link', 'set', card, 'name', device]);
      await guest.run(['ip', 'link', 'set', device, 'up']);
    }
    await Promise.all([
      place(home, neighbours.edge, ends.down, mtuBytes),
      place(home, neighbours.far, ends.up, mtuBytes),
    ]);
    for (const { device } of [ends.down, ends.up]) {
      await guest.run(['sysctl', '-q', '-w', `net.ipv6.conf.${device}.disable_ipv6=0`]);
    }
    const commands = [
      ...bringUpCommands(ends.down, neighbours.edge, mtuBytes),
      ...bringUpCommands(ends.up, neighbours.far, mtuBytes),
    ];
    for (const command of commands) await guest.run(['ip', ...command]);
  } catch (error) {
    await guest.close();
    throw error;
  }
  return {
    kind: 'user-mode-linux',
    takesTime: true,
    run: (argv) => guest.run(argv),
    close: () => guest.close(),
  };
}

/** @throws TowlineError `shaping-unavailable` where taps may not be made */
function requireTun(): void {
  const remedy = tunRemedy();
  if (remedy === null) return;
  throw new TowlineError(
    'shaping-unavailable',
    'network',
    'This kernel has no netem, and the guest that would stand in for it needs /dev/net/tun, which may not be opened.',
    { remedy },
  );
}

/** Moves a tap from the guest's home to where it belongs, and takes it up. */
async function place(home: Namespace, tap: LinkEnd, guestEnd: LinkAddress, mtuBytes: number): Promise<void> {
  if (tap.namespace.name !== home.name) {
    await runTool([...home.enter, 'ip', 'link', 'set', tap.device, 'netns', tap.namespace.name]);
  }
  await bringUp(tap, guestEnd, mtuBytes);
}

import { beforeAll, describe, expect, test } from 'vitest';
import { capsuleCommand, type CapsuleKind } from '../../../native-host/network/capsule.ts';
import { parseShape } from '../../../native-host/network/parse-shape.ts';
import type { Shape } from '../../../shared/record/path.ts';
import { buildPrograms, runOnFakeHost } from '../../support/capsule-program.ts';

let programs: Record<'fake-host' | 'uplink-program', string>;
beforeAll(async () => {
  programs = await buildPrograms(['fake-host', 'uplink-program']);
});

interface State {
  routes: string;
  settings: string;
  rules: string;
}

interface Told {
  answers: string[];
  measured: { deviations: string[] } | null;
  router: string | null;
  /** Device and alias. */
  links: string[];
  clientAddresses: string[][];
  resolver: string;
}

const world = ['http://203.0.113.1/', 'http://[2001:db8::1]/'];
/** The fake host's own addresses. */
const host = ['203.0.113.2', '2001:db8::2'];

/** The program's run, as an ordinary user where the kind is for those. */
function uplink(
  kind: CapsuleKind,
  shape: Shape | null,
  more: { urls?: string[]; die?: boolean; beside?: string[] } = {},
): string[] {
  const argument = JSON.stringify({ kind, shape, urls: world, ...more });
  const ordinary = ['setpriv', '--reuid', '12345', '--regid', '12345', '--clear-groups', '--'];
  const command = [process.execPath, programs['uplink-program'], argument];
  return [
    ...(kind === 'rootless' ? ordinary : []),
    ...capsuleCommand(kind, kind !== 'rootless', command, 1400),
  ];
}

async function onFakeHost(
  ...commands: string[][]
): Promise<{ before: State; runs: { told: Told | null; left: State }[] }> {
  const { before, runs } = (await runOnFakeHost(programs['fake-host'], commands)) as {
    before: State;
    runs: { output: string; left: State }[];
  };
  return {
    before,
    runs: runs.map(({ output, left }) => ({
      told: output === '' ? null : (JSON.parse(output) as Told),
      left,
    })),
  };
}

describe('root: veth and masquerading', () => {
  test('the world sees the host’s address, and the host is as it was', async () => {
    const { before, runs } = await onFakeHost(uplink('root', null));
    expect(runs[0]?.told?.answers).toEqual(host);
    expect(runs[0]?.told?.resolver).toContain('nameserver 203.0.113.1');
    const [first, second] = runs[0]?.told?.clientAddresses ?? [];
    expect(first?.[0]).not.toBe(second?.[0]);
    // The host's end of the way out, the edge's, and both of each trial's link; `wan` is the host's own.
    const links = runs[0]?.told?.links.map((link) => link.replace(/^tl\d+-/, '')).toSorted();
    const ours = ['in', 'out', 't0', 't1', 'eth0', 'eth0'].map((end) => `${end} towline-test-run`);
    expect(links?.filter((link) => !link.startsWith('wan '))).toEqual(ours.toSorted());
    expect(runs[0]?.left).toEqual(before);
  });

  test('what a killed run left is taken back by the next', async () => {
    const { before, runs } = await onFakeHost(uplink('root', null, { die: true }), uplink('root', null));
    const [killed, next] = runs;
    // The kernel takes rules, links and routes; the settings wait for the next run.
    expect(killed?.told?.answers).toEqual(host);
    expect(killed?.left.routes).toBe(before.routes);
    expect(killed?.left.rules).toBe(before.rules);
    expect(next?.told?.answers).toEqual(host);
    expect(next?.left).toEqual(before);
  });

  test.each([
    ['ends', false],
    ['is killed', true],
  ])('a run beside another that %s goes on, and its own end leaves the host as it was', async (_, die) => {
    const beside = uplink('root', null, { die });
    const { before, runs } = await onFakeHost(uplink('root', null, { beside }));
    expect(runs[0]?.told?.answers).toEqual(host);
    expect(runs[0]?.left).toEqual(before);
  });

  test('a shape is added, and measures as asked', async () => {
    const shape = parseShape('rtt=80ms,down=4mbit,up=2mbit');
    const { before, runs } = await onFakeHost(uplink('root', shape));
    expect(runs[0]?.told?.answers).toEqual(host);
    expect(runs[0]?.told?.measured?.deviations).toEqual([]);
    expect(runs[0]?.told?.router).not.toBeNull();
    expect(runs[0]?.left).toEqual(before);
  });
});

describe('rootless: pasta', () => {
  test('an ordinary user reaches the world, and the host is as it was', async () => {
    const { before, runs } = await onFakeHost(
      uplink('rootless', null),
      uplink('rootless', null, { die: true }),
    );
    for (const { told, left } of runs) {
      expect(told?.answers).toEqual(host);
      expect(told?.resolver).toContain('nameserver 203.0.113.1');
      expect(left).toEqual(before);
    }
  });
});

import { describe, expect, it } from 'vitest';
import type { ComparisonRecord } from '../../../shared/record/record.ts';
import type { Wire, WireFlow } from '../../../shared/record/wire.ts';
import { compareAndRead, towline } from '../../support/towline.ts';

const short = ['--rounds', '1', '--gap', '0'];

/** The packets of every trial, warm-up too: what a lab's servers do does not depend on the block. */
function wires(record: ComparisonRecord): { arm: string; wire: Wire }[] {
  return record.trials.map(({ arm, wire }) => {
    if (wire === null) throw new Error('a trial without packets');
    return { arm, wire };
  });
}

const pageFlows = ({ flows }: Wire): WireFlow[] => flows.filter(({ page }) => page);

/** Most requests of one flow that were under way at one moment. */
function mostAtOnce(wire: Wire, flowId: number): number {
  const changes = wire.requests
    .filter((request) => request.flowId === flowId)
    .flatMap(({ requestLastAtMs, responseLastAtMs }) => [
      [requestLastAtMs, 1] as const,
      [responseLastAtMs ?? Infinity, -1] as const,
    ])
    // What ends in the moment that another begins makes room for it.
    .toSorted(([a, one], [b, other]) => a - b || one - other);
  let now = 0;
  return Math.max(...changes.map(([, change]) => (now += change)));
}

describe('a page spread over servers', () => {
  it('is loaded from all of them, each with its own IPv6 address and initial window, and they are its own', async () => {
    const windows = [3, 7, 10, 16];
    const { record } = await compareAndRead([
      ...['lab:twitter', '--arms', 'h1,h3', ...short, '--shards', '4', '--ip', '6'],
      ...['--initcwnd', windows.join(','), '--shape', 'rtt=200ms'],
    ]);
    const { lab } = record.target;
    const names = ['lab', 's2', 's3', 's4'].map((name) => `${name}.towline.test`);
    expect(lab?.servers.map(({ name }) => name)).toEqual(names);
    expect(new Set(lab?.servers.map(({ address }) => address)).size).toBe(4);
    expect(lab?.setup).toMatchObject({ shards: 4, ipVersion: 6, initialWindowPackets: windows });
    expect(record.http3?.origins.map(({ origin }) => origin)).toEqual(names.map((name) => `${name}:443`));
    for (const { treatment, resources } of record.trials) {
      expect(treatment).toMatchObject({ requestShare: 1, byteShare: 1, wireByteShare: 1 });
      // Seven resources dealt over four servers.
      const hosts = resources.map(({ url }) => new URL(url).hostname);
      expect(names.map((name) => hosts.filter((host) => host === name).length)).toEqual([2, 2, 2, 1]);
    }
    const flows = wires(record).flatMap(({ wire }) => pageFlows(wire));
    for (const { sni, serverAddress } of flows) {
      expect(lab?.servers).toContainEqual({ name: sni, address: serverAddress });
    }
    // A response of 46 KB fills any of these windows. A server that was held up shows less, never more.
    const seen = names.map((name) =>
      Math.max(
        ...flows
          .filter(({ sni, protocol }) => sni === name && protocol === 'h1')
          .map(({ initialWindowPackets }) => initialWindowPackets ?? 0),
      ),
    );
    expect(seen).toEqual(windows);
  });
});

describe('Apache httpd with a limit of streams', () => {
  it('never has more requests under way on an HTTP/2 connection, and carries the page whole', async () => {
    const { record } = await compareAndRead([
      ...['lab:youtube', '--arms', 'h2', ...short, '--server', 'apache', '--streams', '4'],
      // So far apart that four requests are under way before the first answer comes.
      ...['--shape', 'rtt=200ms'],
    ]);
    expect(record.target.lab).toMatchObject({
      server: expect.stringMatching(/^Apache httpd 2\.4\./) as string,
      setup: { server: 'apache', maxStreams: 4 },
    });
    for (const { resources, treatment } of record.trials) {
      expect(resources).toHaveLength(50);
      expect(treatment).toMatchObject({ requestShare: 1, byteShare: 1, wireByteShare: 1 });
    }
    const most = wires(record).map(({ wire }) =>
      Math.max(...pageFlows(wire).map(({ id }) => mostAtOnce(wire, id))),
    );
    expect(new Set(most)).toEqual(new Set([4]));
    // And it says so itself.
    const said = wires(record).flatMap(({ wire }) => pageFlows(wire).map(({ streamLimit }) => streamLimit));
    expect(new Set(said)).toEqual(new Set([4]));
  });

  it.each([
    [['--server', 'apache'], /does not speak HTTP\/3/],
    [['--streams', '4'], /--server apache/],
  ])('refuses %j with what can be done', async (args, words) => {
    const { status, stderr } = await towline(['compare', 'lab:twitter', ...args]);
    expect(status).toBe(2);
    expect(stderr).toMatch(words);
  });
});

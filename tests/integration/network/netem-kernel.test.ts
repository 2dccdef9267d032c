import { expect, test } from 'vitest';
import { parseShape } from '../../../native-host/network/parse-shape.ts';
import { buildPrograms, runInCapsule } from '../../support/capsule-program.ts';

interface Told {
  router: string;
  qdiscs: { kind: string; dev: string; options: Record<string, unknown> }[];
  classes: string;
  routes: string;
  refusedAfterMs: number[];
}

/** What tc(8) says of one qdisc of the router, as the kernel has it. */
const optionsOf = ({ qdiscs }: Told, dev: string, kind: string) =>
  qdiscs.find((each) => each.dev === dev && each.kind === kind)?.options;

test('on a kernel with netem the router is a namespace, and shapes as asked', async () => {
  const programs = await buildPrograms(['netem-kernel']);
  const shape = parseShape('rtt=80ms,down=2mbit,up=1mbit,loss-up=1%,queue=64');
  const told = (await runInCapsule('lab', programs['netem-kernel'], { shape })) as Told;
  expect(told.router).toBe('namespace');
  // Half of the round trip each way, in seconds.
  const half = { delay: { delay: expect.closeTo(0.04, 3) as number } };
  expect(optionsOf(told, 'to-browser', 'netem')).toMatchObject(half);
  expect(optionsOf(told, 'to-server', 'netem')).toMatchObject({
    ...half,
    'loss-random': { loss: expect.closeTo(0.01, 6) as number },
  });
  expect(optionsOf(told, 'to-browser', 'pfifo')).toMatchObject({ limit: 64 });
  expect(told.classes).toMatch(/^class htb 2:1 .*rate 2Mbit ceil 2Mbit /m);
  expect(told.routes).toMatch(/default via \S+ dev eth0 .*initcwnd 10 .*congctl cubic/);
  for (const ms of told.refusedAfterMs) expect(ms).toBeGreaterThan(79);
});

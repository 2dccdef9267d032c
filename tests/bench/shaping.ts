/**
 * Whether networks are what they were asked to be: rate, round-trip time and loss over a grid, each cell by IPv4 and by
 * IPv6, by UDP and by TCP, measured across the path and held against METHOD's limits; then the round trip with a full
 * queue, against what its length says.
 *
 * A reading is as good as the machine is quiet: a network outside the limits is made and measured again, at most
 * three times, as a comparison does before its first trial; what was refused before is printed too. The processors' idle share
 * stands beside it.
 *
 * script/bench shaping [TEXT ...]   all, or only the networks that hold one of these: "rate=1mbit rtt=490ms", or queue
 * script/bench shaping 1-12 [TEXT ...]   the first twelve of those: a grid of 72 is measured in pieces that way
 */
import { cpus } from 'node:os';
import * as v from 'valibot';
import {
  FamilySchema,
  PathMeasurementSchema,
  type LossMeasurement,
  type PathMeasurement,
} from '../../shared/record/path.ts';
import { towline } from '../support/towline.ts';

const rates = ['64kbit', '1mbit', '8mbit', '20mbit'];
const rtts = ['10ms', '150ms', '490ms'];
const losses = ['0%', '1%', '3%'];
const queues = [64, 256, 512];
const tries = 3;

interface Check {
  shape: string;
  /** Arguments besides the shape. */
  more: string[];
  /** What a filter is held against. */
  name: string;
}

const cells = rates.flatMap((rate) =>
  rtts.flatMap((rtt) =>
    losses.flatMap((loss) =>
      FamilySchema.options.map((family): Check => {
        const shape = `rtt=${rtt},down=${rate},up=${rate},loss=${loss}`;
        return { shape, more: ['--family', family], name: `rate=${rate} rtt=${rtt} loss=${loss} ${family}` };
      }),
    ),
  ),
);
const fullQueues = queues.map((packets): Check => {
  const shape = `rtt=20ms,down=1mbit,up=1mbit,queue=${packets}`;
  return { shape, more: ['--queue'], name: `queue=${packets}` };
});

const [, from, to] = /^(\d+)-(\d+)$/.exec(process.argv[2] ?? '') ?? [];
const filters = process.argv.slice(from === undefined ? 2 : 3);
const wanted = ({ name }: Check) =>
  filters.length === 0 || filters.some((filter) => `${name} `.includes(filter));
const chosen = [...cells, ...fullQueues]
  .filter(wanted)
  .slice(Number(from ?? 1) - 1, to === undefined ? undefined : Number(to));

let outside = 0;
/** Seconds that a check took, every try. The path with a full queue takes as long as the queue is on top. */
const seconds: number[] = [];
const header = ['rate, RTT, loss', '', 'RTT ms', 'down kbit/s', 'up kbit/s', 'lost down', 'lost up', 'took'];
const widths = [36, 5, 9, 13, 13, 24, 24, 8];
const line = (values: readonly string[]) => values.map((value, at) => value.padEnd(widths[at] ?? 0)).join('');
const chosenCells = chosen.filter((check) => cells.includes(check));
if (chosenCells.length > 0) console.log(line(header));
for (const cell of chosenCells) {
  const found = await check(cell);
  if (found === null) continue;
  const { measured, note } = found;
  const took = `${(measured.durationMs / 1000).toFixed(1)} s`;
  console.log(line([cell.name, 'UDP', ...figures(measured), took]) + note);
  if (measured.tcp) console.log(line(['', 'TCP', ...figures(measured.tcp)]));
  for (const deviation of measured.deviations) console.log(`  ${deviation}`);
}
for (const cell of chosen.filter((check) => fullQueues.includes(check))) {
  const found = await check(cell);
  if (found === null) continue;
  const { rttMs, predictedRttMs } = found.measured.queue ?? {};
  const ratio = ((rttMs ?? NaN) / (predictedRttMs ?? NaN) - 1) * 100;
  console.log(
    `queue of ${cell.name.slice(6)} packets at 1 Mbit/s: RTT under load ${rttMs?.toFixed(0) ?? '?'} ms, by its length ${predictedRttMs?.toFixed(0) ?? '?'} ms (${ratio.toFixed(1)} %, limit 10 %)${found.note}`,
  );
  for (const deviation of found.measured.deviations) console.log(`  ${deviation}`);
}
if (seconds.length > 0) console.log(`Longest check: ${Math.max(...seconds).toFixed(1)} s of at most 10 s.`);
console.log(outside === 0 ? 'Every network was as asked.' : `${outside} networks were NOT as asked.`);
process.exitCode = outside === 0 ? 0 : 1;

/** Makes and measures a network until it is as asked, or the tries are spent. @returns the last measurement */
async function check({
  shape,
  more,
  name,
}: Check): Promise<{ measured: PathMeasurement; note: string } | null> {
  const refused: string[] = [];
  for (let attempt = 1; ; attempt++) {
    const idleBefore = idleTimes();
    const { stdout, stderr } = await towline(['network', 'check', '--json', '--shape', shape, ...more]);
    const idle = `${(idleShare(idleBefore, idleTimes()) * 100).toFixed(0)} % idle`;
    const answer = v.safeParse(v.object({ measured: PathMeasurementSchema }), parse(stdout));
    if (answer.success && !more.includes('--queue')) seconds.push(answer.output.measured.durationMs / 1000);
    const asAsked = answer.success && answer.output.measured.deviations.length === 0;
    if (!asAsked && attempt < tries) {
      refused.push(answer.success ? answer.output.measured.deviations.join('; ') : stderr.trim());
      continue;
    }
    if (!asAsked) outside++;
    const before = refused.length === 0 ? '' : `, try ${attempt} after: ${refused.join(' | ')}`;
    const note = `${idle}${before}${asAsked ? '' : ', OUTSIDE'}`;
    if (answer.success) return { measured: answer.output.measured, note };
    console.log(`${name}: ${stderr.trim()}`);
    return null;
  }
}

function figures(
  by: Pick<PathMeasurement, 'rttMs' | 'downBitsPerSecond' | 'upBitsPerSecond' | 'lossDown' | 'lossUp'>,
) {
  const kbit = (rate: number | null) => (rate === null ? '-' : (rate / 1000).toFixed(1));
  return [
    by.rttMs?.toFixed(2) ?? '-',
    kbit(by.downBitsPerSecond),
    kbit(by.upBitsPerSecond),
    lossWords(by.lossDown),
    lossWords(by.lossUp),
  ];
}

function lossWords(loss: LossMeasurement | null): string {
  if (loss === null) return '-';
  const [low, high] = loss.interval.map((value) => (value * 100).toFixed(1));
  return `${(loss.ratio * 100).toFixed(1)} % (${low ?? ''} to ${high ?? ''})`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Of all processors together, ms. */
function idleTimes(): { idle: number; all: number } {
  const times = cpus().map(({ times: { user, nice, sys, idle, irq } }) => ({
    idle,
    all: user + nice + sys + idle + irq,
  }));
  return {
    idle: times.reduce((sum, each) => sum + each.idle, 0),
    all: times.reduce((sum, each) => sum + each.all, 0),
  };
}

function idleShare(before: { idle: number; all: number }, after: { idle: number; all: number }): number {
  return (after.idle - before.idle) / (after.all - before.all);
}

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import * as v from 'valibot';
import { TowlineError } from '../../shared/errors/towline-error.ts';
import { ErrorReportSchema } from '../../shared/record/error-report.ts';
import {
  PathMeasurementSchema,
  PathSchema,
  ShapeSchema,
  type LossMeasurement,
} from '../../shared/record/path.ts';
import { capsuleCommand } from '../network/capsule.ts';
import { requireTools } from '../network/find-tool.ts';
import { formatRate, formatShape } from '../network/format-shape.ts';
import { parseShape } from '../network/parse-shape.ts';

export interface NetworkCheckOptions {
  /** As after `--shape`. */
  shape: string;
  json?: boolean;
}

const CheckedShapeSchema = v.object({
  asked: ShapeSchema,
  router: PathSchema.entries.router,
  measured: PathMeasurementSchema,
});
type CheckedShape = v.InferOutput<typeof CheckedShapeSchema>;

const WorkerAnswerSchema = v.union([
  v.object({ checked: CheckedShapeSchema }),
  v.object({ error: ErrorReportSchema }),
]);

/**
 * Makes a network of the shape asked for, measures it and tells both.
 * @returns the exit status: 0 when the network is as asked, 3 when this machine cannot make it so
 * @throws TowlineError
 */
export async function checkNetwork(
  options: NetworkCheckOptions,
  print: (line: string) => void,
): Promise<number> {
  const checked = await checkInCapsule(v.parse(ShapeSchema, parseShape(options.shape)));
  const { deviations } = checked.measured;
  if (options.json === true) print(JSON.stringify(checked, null, 2));
  else for (const line of describe(checked)) print(line);
  return deviations.length === 0 ? 0 : 3;
}

async function checkInCapsule(shape: v.InferOutput<typeof ShapeSchema>): Promise<CheckedShape> {
  requireTools(['setpriv', 'unshare', 'setsid'], 'make a network namespace');
  const worker = join(import.meta.dirname, 'network-check-worker.js');
  const asRoot = process.getuid?.() === 0;
  const command = capsuleCommand('lab', asRoot, [process.execPath, worker]);
  const child = spawn(command[0] ?? '', command.slice(1), { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.on('error', () => undefined);
  child.stdin.end(JSON.stringify(shape));
  const [output, complaints] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const answer = v.safeParse(WorkerAnswerSchema, parseJson(output));
  if (!answer.success) {
    throw new TowlineError(
      'namespace-unavailable',
      'network',
      `No network namespace could be made: ${complaints.trim() || 'there was no answer'}.`,
      { remedy: 'towline doctor' },
    );
  }
  if ('checked' in answer.output) return answer.output.checked;
  const { code, stage, message, remedy } = answer.output.error;
  throw new TowlineError(code, stage, message, remedy === null ? {} : { remedy });
}

function parseJson(output: string): unknown {
  try {
    return JSON.parse(output);
  } catch {
    return null;
  }
}

const routers = { namespace: 'in a namespace', 'user-mode-linux': 'in a User-Mode Linux guest' } as const;

function describe({ asked, router, measured }: CheckedShape): string[] {
  const { rttMs, rttSamples, lossDown, lossUp, probeBytes, durationMs, deviations } = measured;
  const loss = (what: string, found: LossMeasurement | null) =>
    found === null ? [] : [`          ${what} ${percent(found)}`];
  return [
    `Asked     ${formatShape(asked)}`,
    `Measured  RTT ${rttMs?.toFixed(2) ?? 'unknown'} ms (median of ${rttSamples})`,
    ...(asked.downBitsPerSecond === null ? [] : [`          ${rate(measured.downBitsPerSecond)} down`]),
    ...(asked.upBitsPerSecond === null ? [] : [`          ${rate(measured.upBitsPerSecond)} up`]),
    ...loss('loss down', lossDown),
    ...loss('loss up', lossUp),
    `          with ${(probeBytes / 1000).toFixed(0)} KB of probes in ${(durationMs / 1000).toFixed(1)} s, shaped ${router === null ? 'nowhere' : routers[router]}`,
    ...(deviations.length === 0
      ? ['The network is as asked.']
      : deviations.map((deviation) => `${deviation}.`)),
  ];
}

function rate(bitsPerSecond: number | null): string {
  return bitsPerSecond === null ? 'unknown' : formatRate(bitsPerSecond);
}

function percent({ ratio, interval: [low, high], lost, sent }: LossMeasurement): string {
  const shown = (value: number) => `${(value * 100).toFixed(2)} %`;
  return `${shown(ratio)} (${lost} of ${sent}; 95 % interval ${shown(low)} to ${shown(high)})`;
}

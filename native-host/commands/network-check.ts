import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import * as v from 'valibot';
import { TowlineError } from '../../shared/errors/towline-error.ts';
import { ErrorReportSchema } from '../../shared/record/error-report.ts';
import {
  FamilySchema,
  PathMeasurementSchema,
  PathSchema,
  ShapeSchema,
  type Family,
  type Shape,
} from '../../shared/record/path.ts';
import { capsuleCommand } from '../network/capsule.ts';
import { requireTools } from '../network/find-tool.ts';
import { parseShape } from '../network/parse-shape.ts';
import { describeCheckedShape } from './network-check-text.ts';

export interface NetworkCheckOptions {
  /** As after `--shape`. */
  shape: string;
  /** `IPv4` or `IPv6`; both when left out. */
  family?: string;
  queue?: boolean;
  json?: boolean;
}

const CheckedShapeSchema = v.object({
  asked: ShapeSchema,
  router: PathSchema.entries.router,
  measured: PathMeasurementSchema,
});
export type CheckedShape = v.InferOutput<typeof CheckedShapeSchema>;

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
  { shape, family, queue, json }: NetworkCheckOptions,
  print: (line: string) => void,
): Promise<number> {
  const checked = await checkInCapsule(parseShape(shape), {
    queue: queue === true,
    families: family === undefined ? undefined : [readFamily(family)],
  });
  if (json === true) print(JSON.stringify(checked, null, 2));
  else for (const line of describeCheckedShape(checked)) print(line);
  return checked.measured.deviations.length === 0 ? 0 : 3;
}

function readFamily(name: string): Family {
  const family = FamilySchema.options.find((each) => each.toLowerCase() === name.toLowerCase());
  if (family !== undefined) return family;
  throw new TowlineError('bad-argument', 'arguments', `"${name}" is no family of addresses.`, {
    remedy: `Use ${FamilySchema.options.join(' or ')}, or leave it out for both.`,
  });
}

async function checkInCapsule(shape: Shape, options: object): Promise<CheckedShape> {
  requireTools(['setpriv', 'unshare', 'setsid'], 'make a network namespace');
  const worker = join(import.meta.dirname, 'network-check-worker.js');
  const asRoot = process.getuid?.() === 0;
  const command = capsuleCommand('lab', asRoot, [process.execPath, worker]);
  const child = spawn(command[0] ?? '', command.slice(1), { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.on('error', () => undefined);
  child.stdin.end(JSON.stringify({ shape, options }));
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

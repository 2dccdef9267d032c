/**
 * Entry file of `towline network check`: runs inside a capsule, takes a shape and what to measure of it as JSON on standard input, and tells
 * the outcome, or the error, as JSON on standard output.
 */
import { text } from 'node:stream/consumers';
import * as v from 'valibot';
import { reportOf } from '../shared/errors/towline-error.ts';
import { FamilySchema, ShapeSchema } from '../shared/record/path.ts';
import { checkShape } from './network/check-shape.ts';
import { enterCapsule } from './network/enter-capsule.ts';

const CheckRequestSchema = v.object({
  shape: ShapeSchema,
  options: v.object({ queue: v.optional(v.boolean()), families: v.optional(v.array(FamilySchema)) }),
});

let answer: object;
try {
  const { shape, options } = v.parse(CheckRequestSchema, JSON.parse(await text(process.stdin)));
  answer = { checked: await checkShape(shape, options, await enterCapsule()) };
} catch (error) {
  answer = { error: reportOf(error, 'network') };
}
// The capsule ends with this process, whatever is still running in it.
process.stdout.write(JSON.stringify(answer), () => process.exit());

/**
 * Entry file of `towline network check`: runs inside a capsule, takes a shape as JSON on standard input, and tells
 * the outcome, or the error, as JSON on standard output.
 */
import { text } from 'node:stream/consumers';
import * as v from 'valibot';
import { reportOf } from '../shared/errors/towline-error.ts';
import { ShapeSchema } from '../shared/record/path.ts';
import { checkShape } from './network/check-shape.ts';
import { enterCapsule } from './network/enter-capsule.ts';

let answer: object;
try {
  const shape = v.parse(ShapeSchema, JSON.parse(await text(process.stdin)));
  answer = { checked: await checkShape(shape, await enterCapsule()) };
} catch (error) {
  answer = { error: reportOf(error, 'network') };
}
// The capsule ends with this process, whatever is still running in it.
process.stdout.write(JSON.stringify(answer), () => process.exit());

import * as v from 'valibot';
import { ErrorReportSchema } from '../../shared/record/error-report.ts';

/** What `towline open` tells the host that started it, once: that the window is there, or why it is not. */
export const WindowMessageSchema = v.variant('type', [
  v.object({ type: v.literal('opened') }),
  v.object({ type: v.literal('failed'), error: ErrorReportSchema }),
]);
export type WindowMessage = v.InferOutput<typeof WindowMessageSchema>;

import * as v from 'valibot';
import { ErrorReportSchema } from './error-report.ts';
import { WireSchema } from './wire.ts';

/** Raised with every change that an older reader could not read. */
export const analysisVersion = 1;

/** One capture file: its page loads in the order of time, or why there are none. */
export const AnalyzedFileSchema = v.object({
  /** As named on the command line; `-` is standard input. */
  file: v.string(),
  loads: v.array(WireSchema),
  error: v.nullable(ErrorReportSchema),
});
export type AnalyzedFile = v.InferOutput<typeof AnalyzedFileSchema>;

/** What `towline analyze --json` prints. */
export const AnalysisSchema = v.object({
  format: v.literal('towline-analysis'),
  version: v.literal(analysisVersion),
  files: v.array(AnalyzedFileSchema),
});
export type Analysis = v.InferOutput<typeof AnalysisSchema>;

import * as v from 'valibot';
import { errorCodeNames } from '../errors/error-codes.ts';

/** {@link ErrorReport} as it is stored and sent. */
export const ErrorReportSchema = v.object({
  code: v.picklist(errorCodeNames),
  stage: v.picklist([
    'arguments',
    'environment',
    'network',
    'lab',
    'browser',
    'capture',
    'wire',
    'trial',
    'comparison',
    'record',
    'messaging',
    'install',
  ]),
  message: v.string(),
  remedy: v.nullable(v.string()),
});

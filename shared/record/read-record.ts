import * as v from 'valibot';
import { TowlineError } from '../errors/towline-error.ts';
import { migrations } from './migrations.ts';
import { RecordSchema, recordVersion, type ComparisonRecord } from './record.ts';

const EnvelopeSchema = v.looseObject({
  format: v.literal('towline-record'),
  version: v.pipe(v.number(), v.integer(), v.minValue(1)),
});

/**
 * Reads a record from its JSON, brings it to the present version and checks every part of it.
 *
 * @param name of the file or upload, for error messages
 * @throws TowlineError `newer-record` for a version this Towline does not know yet; `bad-record` for damaged
 *   JSON, for JSON that is something else, and for a record with a wrong part, which it names
 */
export function readRecord(text: string, name: string): ComparisonRecord {
  const json = parseJson(text, name);
  const envelope = v.safeParse(EnvelopeSchema, json);
  if (!envelope.success) {
    throw new TowlineError('bad-record', 'record', `${name} is JSON, but no Towline record.`, {
      remedy: 'Give a file written by "towline compare --json FILE" or exported from the extension.',
    });
  }
  const { version } = envelope.output;
  if (version > recordVersion) {
    throw new TowlineError(
      'newer-record',
      'record',
      `${name} has record version ${version}; this Towline reads up to version ${recordVersion}.`,
      { remedy: 'Update Towline, then try again.' },
    );
  }
  const record = v.safeParse(RecordSchema, migrated(envelope.output, version));
  if (record.success) return record.output;
  const [issue] = record.issues;
  const place = v.getDotPath(issue) ?? 'the record itself';
  throw new TowlineError(
    'bad-record',
    'record',
    `${name} is damaged: ${place} should be ${issue.expected ?? 'otherwise'}, but is ${issue.received}.`,
    { remedy: 'Fetch or export the file again; a record is not meant to be edited by hand.' },
  );
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new TowlineError('bad-record', 'record', `${name} is damaged: it is no whole JSON text.`, {
      remedy: 'Fetch or export the file again: it may have been cut off while it was written.',
      cause,
    });
  }
}

function migrated(record: object, version: number): object {
  let current = record;
  for (let from = version; from < recordVersion; from++) {
    current = migrations.get(from)?.(current) ?? current;
  }
  return current;
}

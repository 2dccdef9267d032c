import { describe, expect, it } from 'vitest';
import { TowlineError } from '../../../../shared/errors/towline-error.ts';
import { readRecord } from '../../../../shared/record/read-record.ts';
import { recordVersion } from '../../../../shared/record/record.ts';
import { makeRecord } from '../../../fixtures/record/make-record.ts';

/** What reading this text comes to, as an error. */
function refusal(text: string): TowlineError {
  try {
    readRecord(text, 'result.json');
  } catch (error) {
    if (error instanceof TowlineError) return error;
  }
  throw new Error('it was read');
}

describe('readRecord', () => {
  it('gives back the record that was written', () => {
    const record = makeRecord();
    expect(readRecord(JSON.stringify(record), 'result.json')).toEqual(record);
  });

  it('takes a record from before there were stopping plans for one without a plan', () => {
    const record = makeRecord();
    const { stopping, ...before } = record.design;
    const text = JSON.stringify({ ...record, design: before });
    expect(stopping).toBeNull();
    expect(readRecord(text, 'result.json')).toEqual(record);
  });

  it('reads a lab record from before servers could be set up', () => {
    const url = 'https://lab.towline.test/youtube/';
    const lab = { page: 'youtube', server: 'Caddy 2.6.2', resources: 50, bytes: 531_500 };
    const text = JSON.stringify({ ...makeRecord(), target: { asked: 'lab:youtube', url, lab } });
    expect(readRecord(text, 'result.json').target.lab).toEqual({ ...lab, setup: null, servers: [] });
  });

  it('asks to update for a newer version, whatever else that version holds', () => {
    const newer = { format: 'towline-record', version: recordVersion + 1, trials: 'in another form' };
    expect(refusal(JSON.stringify(newer))).toMatchObject({
      code: 'newer-record',
      message: 'result.json has record version 2; this Towline reads up to version 1.',
      remedy: expect.stringContaining('Update Towline') as string,
    });
  });

  it('says that a file was cut off', () => {
    const text = JSON.stringify(makeRecord());
    expect(refusal(text.slice(0, text.length / 2))).toMatchObject({
      code: 'bad-record',
      message: 'result.json is damaged: it is no whole JSON text.',
    });
    expect(refusal('')).toMatchObject({ code: 'bad-record' });
  });

  it.each(['null', '[]', '{}', '{"format":"har"}', '{"format":"towline-record","version":"1"}'])(
    'does not take %s for a record',
    (text) => {
      expect(refusal(text).message).toBe('result.json is JSON, but no Towline record.');
    },
  );

  it('names the first part that is wrong, and what it should be', () => {
    const record = makeRecord();
    const damaged = JSON.stringify({ ...record, design: { ...record.design, rounds: 'ten' } });
    expect(refusal(damaged)).toMatchObject({
      code: 'bad-record',
      message: 'result.json is damaged: design.rounds should be number, but is "ten".',
    });
    const [first, ...others] = record.trials;
    const cut = JSON.stringify({ ...record, trials: [{ ...first, verdict: undefined }, ...others] });
    expect(refusal(cut).message).toContain('trials.0.verdict');
  });
});

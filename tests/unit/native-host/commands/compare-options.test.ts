import { describe, expect, it } from 'vitest';
import {
  parseArms,
  parseDurationMs,
  parseRunLength,
  parseTarget,
  parseWhole,
} from '../../../../native-host/commands/compare-options.ts';

const pages = ['twitter', 'youtube', 'imgur'];

describe('parseTarget', () => {
  it('takes http and https addresses and the pages of the lab', () => {
    expect(parseTarget('https://example.org', pages)).toEqual({ kind: 'url', url: 'https://example.org/' });
    expect(parseTarget('http://localhost:8080/a', pages)).toEqual({
      kind: 'url',
      url: 'http://localhost:8080/a',
    });
    expect(parseTarget('lab:imgur', pages)).toEqual({ kind: 'lab', page: 'imgur' });
  });

  it('names the pages there are when the lab has no such page', () => {
    expect(() => parseTarget('lab:myspace', pages)).toThrow('The lab has no page "myspace"');
  });

  it.each(['ftp://example.org/', 'file:///etc/passwd', 'javascript:alert(1)', 'chrome://settings'])(
    'refuses the scheme of %s',
    (text) => {
      expect(() => parseTarget(text, pages)).toThrow(/scheme .*only http and https/);
    },
  );

  it.each(['example.org', 'example.org:8443/x'])('guesses what is meant by %s', (text) => {
    expect(() => parseTarget(text, pages)).toThrow(
      expect.objectContaining({
        code: 'bad-url',
        remedy: expect.stringContaining(`https://${text}`) as string,
      }),
    );
  });
});

describe('parseArms', () => {
  it('keeps the order given', () => {
    expect(parseArms('h3, h1')).toEqual(['h3', 'h1']);
  });

  it('refuses what is no arm, and an arm named twice', () => {
    expect(() => parseArms('h1,spdy')).toThrow('there is no arm "spdy"');
    expect(() => parseArms('h1,h1')).toThrow('twice');
  });
});

describe('numbers and times', () => {
  it('takes whole numbers in range only', () => {
    expect(parseWhole('--rounds', '5', 1, 10)).toBe(5);
    for (const bad of ['0', '11', '2.5', '-1', 'many', '']) {
      expect(() => parseWhole('--rounds', bad, 1, 10)).toThrow('from 1 to 10');
    }
  });

  it('reads seconds and milliseconds', () => {
    expect(parseDurationMs('--gap', '2s', 10_000)).toBe(2000);
    expect(parseDurationMs('--gap', '250ms', 10_000)).toBe(250);
    expect(parseDurationMs('--gap', '0', 10_000)).toBe(0);
    for (const bad of ['11s', '2 minutes', '-1s', '']) {
      expect(() => parseDurationMs('--gap', bad, 10_000)).toThrow('at most 10 s');
    }
  });
});

describe('parseRunLength', () => {
  const none = { rounds: undefined, precision: undefined, maxRounds: undefined };

  it('counts rounds, or goes on to a precision', () => {
    expect(parseRunLength(none, 3)).toEqual({ rounds: 10, precisionPercent: null });
    expect(parseRunLength({ ...none, rounds: '7' }, 1)).toEqual({ rounds: 7, precisionPercent: null });
    expect(parseRunLength({ ...none, precision: '3%' }, 2)).toEqual({ rounds: 50, precisionPercent: 3 });
    expect(parseRunLength({ ...none, precision: '2.5 %', maxRounds: '80' }, 2)).toEqual({
      rounds: 80,
      precisionPercent: 2.5,
    });
  });

  it.each([
    [{ ...none, maxRounds: '20' }, 3, /without --precision/],
    [{ ...none, precision: '3%', rounds: '10' }, 3, /exclude each other/],
    [{ ...none, precision: '3%' }, 1, /needs two arms/],
    [{ ...none, precision: 'narrow' }, 3, /--precision narrow: not a percentage from 0.1 to 50/],
    [{ ...none, precision: '0%' }, 3, /not a percentage/],
    [{ ...none, precision: '3%', maxRounds: '0' }, 3, /--max-rounds 0: not a whole number/],
  ])('refuses %o', (options, arms, fault) => {
    expect(() => parseRunLength(options, arms)).toThrow(fault);
  });
});

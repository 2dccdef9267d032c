import { describe, expect, it } from 'vitest';
import { resourceDifferences, setDifference } from '../../../../native-host/comparison/same-resources.ts';

const page = new Set(['/', '/a.js', '/b.png']);
const short = new Set(['/', '/a.js']);

describe('resourceDifferences', () => {
  it('finds none between equal sets', () => {
    expect(resourceDifferences([page, new Set(page), page])).toEqual([null, null, null]);
  });

  it('holds the difference against the one arm that differs from the majority', () => {
    const [first, second, third] = resourceDifferences([page, short, page]);
    expect([first, third]).toEqual([null, null]);
    expect(second).toContain('/b.png');
  });

  it('holds it against both where two arms disagree, since nobody can say which is right', () => {
    expect(resourceDifferences([page, short]).every((difference) => difference !== null)).toBe(true);
  });

  it('has nothing to say of a single trial or of none', () => {
    expect(resourceDifferences([page])).toEqual([null]);
    expect(resourceDifferences([])).toEqual([]);
  });
});

describe('setDifference', () => {
  it('names what is extra and what is lacking', () => {
    expect(setDifference(new Set(['/x']), new Set(['/y']))).toBe(
      'only here: 1 (/x); only in the other arms: 1 (/y)',
    );
  });
});

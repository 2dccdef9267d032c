import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

type Catalogue = Record<string, { message: string; description?: string }>;

const directory = fileURLToPath(new URL('../../../extension/_locales', import.meta.url));

function catalogue(locale: string): Catalogue {
  return JSON.parse(readFileSync(`${directory}/${locale}/messages.json`, 'utf8')) as Catalogue;
}

const english = catalogue('en');
const others = readdirSync(directory).filter((locale) => locale !== 'en');

function placeholders(message: string): string[] {
  return [...new Set(message.match(/\$[1-9]/g))].sort();
}

it('has at least one language besides English', () => {
  expect(others).toContain('de');
});

describe.each(others)('%s', (locale) => {
  const translated = catalogue(locale);

  it('has every message of the English catalogue, and no other', () => {
    expect(Object.keys(translated).sort()).toEqual(Object.keys(english).sort());
  });

  it('uses the same placeholders in each', () => {
    const used = (all: Catalogue) =>
      Object.fromEntries(Object.entries(all).map(([key, { message }]) => [key, placeholders(message)]));
    expect(used(translated)).toEqual(used(english));
  });

  it('leaves none empty, and says which language it is', () => {
    expect(Object.entries(translated).filter(([, { message }]) => message.trim() === '')).toEqual([]);
    expect(translated.language?.message).toBe(locale.replace('_', '-'));
  });

  // Both stores refuse longer ones: 75 for the name and 132 for the description in Chrome's, 45 for Firefox's
  // name, which web-ext checks in English alone.
  it('keeps name and description as short as the stores ask', () => {
    expect(translated.extensionName?.message.length).toBeLessThanOrEqual(75);
    expect(translated.extensionDescription?.message.length).toBeLessThanOrEqual(132);
  });
});

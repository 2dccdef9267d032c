import { readFileSync, readdirSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import messages from '../../../../extension/_locales/en/messages.json';
import { generalKey } from '../../../../extension/charts/error-words.ts';
import { speak, text, type MessageKey } from '../../../../extension/charts/text.ts';
import { errorCodeNames } from '../../../../shared/errors/error-codes.ts';

afterEach(() => {
  speak(() => '');
});

it('is English without a translator, and where it lacks a message', () => {
  expect(text('intervalPlain', '1', '2')).toBe('1 to 2');
  speak((key, [first = '', second = '']) => (key === 'intervalPlain' ? `${first} bis ${second}` : ''));
  expect(text('intervalPlain', '1', '2')).toBe('1 bis 2');
  expect(text('siteTitle')).toBe('Towline');
});

it('has no message that nobody says', () => {
  const root = new URL('../../../../extension/', import.meta.url);
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|mjs)$/.test(name))
    .map((name) => readFileSync(new URL(name, root), 'utf8'))
    .join('\n');
  // Those that go by a code, or by what the host says, have tests of their own beside retell.ts.
  const byCode = errorCodeNames.map(generalKey);
  const unsaid = (Object.keys(messages) as MessageKey[])
    .filter((key) => !byCode.includes(key) && !key.startsWith('said'))
    .filter((key) => !sources.includes(`'${key}'`) && !sources.includes(`__MSG_${key}__`));
  expect(unsaid).toEqual([]);
});

it('has only message names and placeholders that browsers take', () => {
  for (const [key, { message }] of Object.entries(messages)) {
    expect(key).toMatch(/^[A-Za-z0-9_@]+$/);
    expect(message.replace(/\$[1-9]/g, '')).not.toContain('$');
  }
});

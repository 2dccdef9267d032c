import messages from '../_locales/en/messages.json';
import { text, type MessageKey } from './text.ts';

/**
 * Host, records and statistics speak English. What the catalogue knows of their sentences (the messages whose
 * names begin with "said") is told again in the person's language, with whatever stands in its places; the rest
 * is given back as it is.
 */
export function retell(sentence: string): string {
  if (text('language') === 'en') return sentence;
  for (const { key, pattern, places } of (known ??= knownSentences())) {
    const found = pattern.exec(sentence);
    if (!found) continue;
    const parts: string[] = [];
    for (const [index, place] of places.entries()) parts[place] = retell(found[index + 1] ?? '');
    return text(key, ...parts);
  }
  return sentence;
}

interface Sentence {
  key: MessageKey;
  pattern: RegExp;
  /** Of each of the pattern's groups, where its text belongs among the message's substitutions. */
  places: number[];
}

let known: Sentence[] | null = null;

/** Those with the most words of their own first: they say more exactly what was meant. */
function knownSentences(): Sentence[] {
  return (Object.keys(messages) as MessageKey[])
    .filter((key) => key.startsWith('said'))
    .map((key) => ({ key, ...patternOf(messages[key].message) }))
    .sort((a, b) => b.ownLetters - a.ownLetters);
}

function patternOf(message: string): Omit<Sentence, 'key'> & { ownLetters: number } {
  const own = message.split(/\$[1-9]/);
  return {
    pattern: new RegExp(`^${own.map(escaped).join('(.+?)')}$`, 's'),
    places: [...message.matchAll(/\$([1-9])/g)].map(([, digit]) => Number(digit) - 1),
    ownLetters: own.join('').length,
  };
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

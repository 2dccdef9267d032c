import messages from '../_locales/en/messages.json';

export type MessageKey = keyof typeof messages;

type Translator = (key: MessageKey, substitutions: string[]) => string;

let translate: Translator = () => '';

/** Sets the language once, by the page's entry file. Without it, and for what it lacks, English is used. */
export function speak(translator: (key: string, substitutions: string[]) => string): void {
  translate = translator;
}

/** A sentence of `_locales`, its `$1`..`$9` replaced; no line ends between a number and its unit. */
export function text(key: MessageKey, ...substitutions: string[]): string {
  return unbroken(translate(key, substitutions) || english(key, substitutions));
}

/** Joins numbers to their signs and units by no-break spaces. */
export function unbroken(sentence: string): string {
  return sentence
    .replace(/± (?=\d)/g, '±\u00a0')
    .replace(/(\d) (?=(?:%|ms|s|kB|MB|[kM]bit\/s)(?!\w))/g, '$1\u00a0');
}

function english(key: MessageKey, substitutions: string[]): string {
  return messages[key].message.replace(
    /\$([1-9])/g,
    (_, digit: string) => substitutions[Number(digit) - 1] ?? '',
  );
}

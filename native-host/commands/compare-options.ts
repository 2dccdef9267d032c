import type { Arm } from '../../shared/record/arm.ts';
import { ArmSchema } from '../../shared/record/arm.ts';
import { TowlineError } from '../../shared/errors/towline-error.ts';

/** `compare` as typed, before anything is checked. */
export interface CompareOptions {
  url: string;
  arms: string;
  rounds: string | undefined;
  precision: string | undefined;
  maxRounds: string | undefined;
  seed: string | undefined;
  gap: string;
  browser: string;
  headed: boolean;
  network: string;
  shape: string | undefined;
  timeout: string;
  json: string | undefined;
  har: string | undefined;
  pcap: string | undefined;
  keylog: string | undefined;
  /** For the native-messaging host: the run's id, and the browser whose end ends the run. */
  runId: string | undefined;
  ownerPid: string | undefined;
  /** Also for the host: the version of that browser, in which the page is to be loaded. */
  ownBrowser: string | undefined;
}

type CompareTarget<Page extends string = string> = { kind: 'lab'; page: Page } | { kind: 'url'; url: string };

/** What to load: `lab:PAGE`, or an http(s) address. @throws TowlineError `bad-url`, with the likely meaning */
export function parseTarget<Page extends string>(
  text: string,
  labPages: readonly Page[],
): CompareTarget<Page> {
  if (text.startsWith('lab:')) {
    const name = text.slice('lab:'.length);
    const page = labPages.find((known) => known === name);
    if (page !== undefined) return { kind: 'lab', page };
    throw new TowlineError('bad-url', 'arguments', `The lab has no page "${name}".`, {
      remedy: `Its pages are: ${labPages.map((name) => `lab:${name}`).join(', ')}.`,
    });
  }
  const url = parseUrl(text);
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return { kind: 'url', url: url.href };
  const withScheme = parseUrl(`https://${text}`);
  const isSchemeless = !/^[a-z][a-z0-9+.-]*:(?!\d)/i.test(text) && withScheme !== null;
  throw new TowlineError(
    'bad-url',
    'arguments',
    url && !isSchemeless
      ? `"${text}" has the scheme ${url.protocol.slice(0, -1)}; only http and https pages can be compared.`
      : `"${text}" is not a web address.`,
    {
      remedy: isSchemeless
        ? `Did you mean ${withScheme.href} ?`
        : 'Give an address such as https://example.org/ or lab:youtube.',
    },
  );
}

/** `h1,h2,h3` -> arms, each once, in the order given. @throws TowlineError `bad-argument` */
export function parseArms(text: string): Arm[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !(ArmSchema.options as readonly string[]).includes(name));
  if (unknown !== undefined || new Set(names).size !== names.length) {
    throw new TowlineError(
      'bad-argument',
      'arguments',
      unknown === undefined ? `--arms ${text} names an arm twice.` : `--arms: there is no arm "${unknown}".`,
      { remedy: `The arms are ${ArmSchema.options.join(', ')}; separate them by commas.` },
    );
  }
  return names as Arm[];
}

/** A whole number in a range. @throws TowlineError `bad-argument` naming the option and the range */
export function parseWhole(option: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new TowlineError(
    'bad-argument',
    'arguments',
    `${option} ${text}: not a whole number from ${min} to ${max}.`,
    {
      remedy: `Give ${option} a whole number from ${min} to ${max}.`,
    },
  );
}

/** How long a run goes on. */
export interface RunLength {
  /** Blocks that count; the most there can be where a precision is asked for. */
  rounds: number;
  /** Percentage points on either side; null where the number of rounds alone decides. */
  precisionPercent: number | null;
}

/** `--rounds`, or `--precision` with `--max-rounds`. @throws TowlineError `bad-argument` */
export function parseRunLength(
  { rounds, precision, maxRounds }: Pick<CompareOptions, 'rounds' | 'precision' | 'maxRounds'>,
  arms: number,
): RunLength {
  if (precision === undefined) {
    if (maxRounds === undefined) {
      return { rounds: parseWhole('--rounds', rounds ?? '10', 1, 1000), precisionPercent: null };
    }
    throw new TowlineError('bad-argument', 'arguments', '--max-rounds says nothing without --precision.', {
      remedy: 'Give --rounds for a fixed number of rounds, or add --precision, such as --precision 3%.',
    });
  }
  const [fault, remedy] =
    rounds === undefined
      ? ['--precision needs two arms: with one there is nothing to compare.', 'Add an arm, or give --rounds.']
      : [
          '--precision and --rounds exclude each other.',
          'Give --max-rounds to say where the run ends at last.',
        ];
  if (arms < 2 || rounds !== undefined)
    throw new TowlineError('bad-argument', 'arguments', fault, { remedy });
  return {
    rounds: parseWhole('--max-rounds', maxRounds ?? '50', 1, 1000),
    precisionPercent: parsePercent('--precision', precision, 0.1, 50),
  };
}

/** `3%`, `2.5 %` or a bare number -> percent. @throws TowlineError `bad-argument` */
function parsePercent(option: string, text: string, min: number, max: number): number {
  const [, number] = /^(\d+(?:\.\d+)?)\s*%?$/.exec(text) ?? [];
  const value = Number(number);
  if (number !== undefined && value >= min && value <= max) return value;
  throw new TowlineError(
    'bad-argument',
    'arguments',
    `${option} ${text}: not a percentage from ${min} to ${max}.`,
    { remedy: `Write it like 3% or 0.5%.` },
  );
}

/** `2s`, `500ms` or a bare number of seconds -> ms. @throws TowlineError `bad-argument` */
export function parseDurationMs(option: string, text: string, maxMs: number): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(ms|s)?$/.exec(text) ?? [];
  const ms = Number(number) * (unit === 'ms' ? 1 : 1000);
  if (number !== undefined && ms <= maxMs) return ms;
  throw new TowlineError(
    'bad-argument',
    'arguments',
    `${option} ${text}: not a time of at most ${maxMs / 1000} s.`,
    {
      remedy: `Write it like 2s or 500ms.`,
    },
  );
}

const parseUrl = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null);

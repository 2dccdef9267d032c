import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explainClosedPort } from '../../../../extension/background/explain-closed-port.ts';
import { errorWords, generalKey } from '../../../../extension/charts/error-words.ts';
import { retell } from '../../../../extension/charts/retell.ts';
import { speak } from '../../../../extension/charts/text.ts';
import { navigationError } from '../../../../native-host/browser/navigation-error.ts';
import { writeError } from '../../../../native-host/runs/write-error.ts';
import { errorCodeNames } from '../../../../shared/errors/error-codes.ts';
import { reportOf } from '../../../../shared/errors/towline-error.ts';
import { describe as describeRecord } from '../../../../shared/record/describe.ts';
import { readRecord } from '../../../../shared/record/read-record.ts';
import type { Target } from '../../../../shared/record/record.ts';
import { makeRecord } from '../../../fixtures/record/make-record.ts';

const labTarget: Target = {
  asked: 'lab:youtube',
  url: 'https://lab.test/youtube/',
  lab: {
    page: 'youtube',
    server: 'caddy',
    resources: 24,
    bytes: 1_000_000,
    setup: {
      server: 'caddy',
      shards: 2,
      ipVersion: 6,
      initialWindowPackets: [10, 10],
      congestionControl: 'cubic',
      maxStreams: 6,
    },
    servers: [],
  },
};

const root = fileURLToPath(new URL('../../../..', import.meta.url));

function catalogue(locale: string): Record<string, { message: string }> {
  return JSON.parse(readFileSync(join(root, `extension/_locales/${locale}/messages.json`), 'utf8')) as Record<
    string,
    { message: string }
  >;
}

/** As a browser does: `$1` to `$9` replaced by what is given. */
function speaking(locale: string): void {
  const messages = catalogue(locale);
  speak((key, substitutions) =>
    (messages[key]?.message ?? '').replace(
      /\$([1-9])/g,
      (_, digit) => substitutions[Number(digit) - 1] ?? '',
    ),
  );
}

afterAll(() => {
  speaking('en');
});

describe('in German', () => {
  beforeAll(() => {
    speaking('de');
  });

  it('has something to say of every code', () => {
    const lacking = errorCodeNames.filter((code) => {
      const key = generalKey(code);
      return key === null || !catalogue('de')[key]?.message;
    });
    expect(lacking).toEqual([]);
  });

  it('tells what happened to what, and what to do', () => {
    const refused = new Error('net::ERR_NAME_NOT_RESOLVED at https://example.org/');
    expect(errorWords(navigationError('https://example.org/', refused, 30_000))).toEqual({
      message:
        'https://example.org/ ließ sich nicht laden: zu ihrem Namen gibt es keine Adresse (ERR_NAME_NOT_RESOLVED).',
      remedy: 'Prüfen Sie, ob die Adresse richtig geschrieben und dieser Rechner online ist.',
    });
    expect(errorWords(explainClosedPort('Native host has exited.'))).toEqual({
      message: 'Das Messprogramm endete: Native host has exited.',
      remedy: 'bin/towline doctor',
    });
    const full = writeError(
      '/var/runs/1/record.json',
      Object.assign(new Error(), { code: 'ENOSPC' }),
      'record',
    );
    expect(errorWords(full)).toEqual({
      message: 'Es ist kein Platz mehr, um /var/runs/1/record.json zu schreiben.',
      remedy:
        'Schaffen Sie Platz auf dem Datenträger von /var/runs/1; was schon geschrieben war, bleibt erhalten.',
    });
    expect(errorWords(caught(() => readRecord('{"format":', 'run.json'))).message).toBe(
      'run.json ist beschädigt: Es ist kein vollständiger JSON-Text.',
    );
  });

  it('says in general what a code means where the sentence itself is not known, and keeps that', () => {
    expect(errorWords({ code: 'router-failed', message: 'It burst.', remedy: 'ip link' })).toEqual({
      message: 'Der Router, der das Netz nachbildet, versagte. Im Wortlaut: It burst.',
      remedy: 'ip link',
    });
  });

  it('tells again all that a record says of itself', () => {
    const words = describeRecord(makeRecord({ outcome: 'cancelled' }));
    const sentences = [words.incomplete ?? '', ...words.measured, ...words.dependsOn, ...words.doesNotShow];
    expect(sentences.filter((sentence) => retell(sentence) === sentence)).toEqual([]);
    const inTheLab = describeRecord(makeRecord({ target: labTarget }));
    expect(inTheLab.dependsOn.filter((sentence) => retell(sentence) === sentence)).toEqual([]);
    const { environment } = makeRecord();
    const own = { ...environment, browser: { ...environment.browser, own: true as const } };
    const { dependsOn } = describeRecord(makeRecord({ environment: own }));
    expect(dependsOn.filter((sentence) => retell(sentence) === sentence)).toEqual([]);
    const checks = makeRecord().trials.flatMap(({ verdict }) => verdict.checks.map(({ detail }) => detail));
    expect([...new Set(checks)].filter((detail) => retell(detail) === detail)).toEqual([]);
  });
});

it('leaves every sentence as it is in English', () => {
  speaking('en');
  const error = { code: 'router-failed', message: 'It burst.', remedy: null } as const;
  expect(errorWords(error)).toEqual({ message: 'It burst.', remedy: null });
  expect(retell('Loading the page with HTTP/2')).toBe('Loading the page with HTTP/2');
});

it('knows no sentence that nobody says any more', () => {
  const said = ['native-host', 'shared', 'lab', 'extension'].map(sourcesOf).join('\n');
  // Literals that a line's end divides are one again.
  const whole = said.replaceAll(/['"`] \+\s*['"`]/g, '').replaceAll("\\'", "'");
  const unsaid = Object.entries(catalogue('en'))
    .filter(([key]) => key.startsWith('said'))
    .flatMap(([, { message }]) => message.split(/\$[1-9]/))
    .map((part) => part.replaceAll(/^[^\w]+|[^\w]+$/g, ''))
    .filter((part) => part.includes(' ') && !whole.includes(part));
  expect(unsaid).toEqual([]);
});

function sourcesOf(room: string): string {
  return readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(root, room, file), 'utf8'))
    .join('\n');
}

function caught(act: () => unknown): ReturnType<typeof reportOf> {
  try {
    act();
  } catch (thrown) {
    return reportOf(thrown, 'record');
  }
  throw new Error('nothing was thrown');
}

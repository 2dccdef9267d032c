import { expect, test } from 'vitest';
import { OwnLoads } from '../../../../extension/background/own-loads.ts';
import type { MeasuredLoading } from '../../../../extension/platform/live-negotiation.ts';
import type { RunTab } from '../../../../extension/platform/run-tab.ts';
import type { OwnCall, OwnStep } from '../../../../shared/messages/own-browser.ts';

const begin: OwnCall = { verb: 'begin', arm: 'h2', http3Origins: [] };
const load: OwnCall = { verb: 'load', url: 'https://example.org/', timeoutMs: 1000 };
const finish: OwnCall = { verb: 'finish' };

/** A browser that notes what is done in it; `steps` changes what it answers. */
function setUp(steps: Partial<Record<'begin' | 'measure' | 'finish', OwnStep>> = {}) {
  const done: string[] = [];
  const note = <T>(what: string, answer: T): Promise<T> => {
    done.push(what);
    return Promise.resolve(answer);
  };
  const tabs = new Set<number>();
  const loading: MeasuredLoading = {
    begin: (arm) => note(`begin ${arm}`, steps.begin ?? { type: 'begun' }),
    measure: (tabId) => note(`measure in ${tabId}`, steps.measure ?? { type: 'loaded' }),
    finish: () => note('finish', steps.finish ?? { type: 'finished', account: { requests: [], altSvc: {} } }),
    stop: () => note('stop', undefined),
  };
  const tab: RunTab = {
    open: () => {
      tabs.add(7);
      return note('open', 7);
    },
    show: (tabId) => (tabs.has(tabId) ? note('show', undefined) : Promise.reject(new Error('no such tab'))),
    empty: () => note('empty', undefined),
    close: (tabId) => {
      tabs.delete(tabId);
      return note('close', undefined);
    },
    navigation: () => note('navigation', null),
  };
  return { loads: new OwnLoads({ loading, tab }), done, tabs };
}

test('a run that nobody asked for here is refused, and nothing is done', async () => {
  const { loads, done } = setUp();
  expect(await loads.answer('run-1', begin)).toMatchObject({ error: { code: 'own-browser-lost' } });
  loads.allow('run-2');
  expect(await loads.answer('run-1', begin)).toMatchObject({ error: { code: 'own-browser-lost' } });
  await loads.stop('run-1');
  expect(done).toEqual([]);
});

test('all loads of a run are in one tab, which goes with the run', async () => {
  const { loads, done, tabs } = setUp();
  loads.allow('run-1');
  for (const call of [begin, load, finish, begin]) await loads.answer('run-1', call);
  expect(done).toEqual([
    ...['open', 'begin h2', 'measure in 7', 'navigation', 'finish', 'empty'],
    ...['show', 'begin h2'],
  ]);
  await loads.end('run-1');
  expect(done.slice(-2)).toEqual(['stop', 'close']);
  expect(tabs.size).toBe(0);
  expect(await loads.answer('run-1', load)).toMatchObject({ error: { code: 'own-browser-lost' } });
});

test('a tab that the person has closed ends the run', async () => {
  const { loads, tabs } = setUp();
  loads.allow('run-1');
  for (const call of [begin, load, finish]) await loads.answer('run-1', call);
  tabs.clear();
  expect(await loads.answer('run-1', begin)).toMatchObject({ error: { code: 'own-browser-lost' } });
});

test('what goes wrong in a step is its answer', async () => {
  const error = { code: 'load-timeout', stage: 'browser', message: 'Late.', remedy: null } as const;
  const { loads, done } = setUp({ measure: { type: 'failed', error } });
  loads.allow('run-1');
  await loads.answer('run-1', begin);
  expect(await loads.answer('run-1', load)).toEqual({ type: 'failed', error });
  expect(done).not.toContain('navigation');
});

test('an account too long for the port is an error, not a broken connection', async () => {
  const altSvc = Object.fromEntries([['https://example.org', 'x'.repeat(1_000_000)]]);
  const { loads } = setUp({ finish: { type: 'finished', account: { requests: [], altSvc } } });
  loads.allow('run-1');
  expect(await loads.answer('run-1', finish)).toMatchObject({ error: { code: 'message-too-large' } });
});

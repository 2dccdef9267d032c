import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { HostQuestion } from '../../../../extension/background/host-port.ts';
import { WireTimes } from '../../../../extension/background/wire-times.ts';
import { observationOf, type SeenAddress } from '../../../../extension/recorder/observation-of.ts';
import { TowlineError } from '../../../../shared/errors/towline-error.ts';
import type { HostMessage } from '../../../../shared/messages/host-protocol.ts';
import type { ObservedTime } from '../../../../shared/record/observed-time.ts';
import type { Observation } from '../../../../shared/record/observation.ts';
import { makeEntry } from '../recorder/make-entry.ts';
import { makePage, startMs } from '../recorder/make-page.ts';

const time: ObservedTime = {
  missing: null,
  timeOnWire: { valueMs: 70, errorBoundMs: 1 },
  setup: null,
  wireTotal: null,
  connections: 1,
  reusedConnections: 1,
};
const told: HostMessage = { type: 'time-on-wire', requestId: 't', time, untilMs: startMs + 600 };
const server: SeenAddress = { origin: 'https://example.org', address: '192.0.2.1', atMs: startMs + 20 };

let asked: HostQuestion[];
let answer: Promise<HostMessage>;
let others: SeenAddress[];
let byWorkers: SeenAddress[] | null;
let openElsewhere: boolean;
let seesAll: boolean;
let observation: Observation | null;

beforeEach(() => {
  asked = [];
  answer = Promise.resolve(told);
  others = [];
  byWorkers = [];
  openElsewhere = false;
  seesAll = true;
  observation = observationOf(makePage({ loadEventEnd: 90 }), null, [server], true);
});
afterEach(() => {
  vi.useRealTimers();
});

const times = new WireTimes({
  host: {
    ask: (question) => {
      asked.push(question);
      return answer;
    },
  },
  watch: () => Promise.resolve(),
  addresses: {
    of: () => Promise.resolve([server]),
    ofWorkers: () => Promise.resolve(byWorkers),
    ofOthers: () => Promise.resolve(others),
  },
  isOpenElsewhere: () => Promise.resolve(openElsewhere),
  seesAll: () => Promise.resolve(seesAll),
  store: {
    change: (_, change) => {
      observation = change(observation);
      return Promise.resolve(observation);
    },
  },
});

function ask(): Promise<void> {
  if (!observation) throw new Error('There is no observation.');
  return times.ask({ observation, tabId: 7, fromMs: startMs });
}

it("keeps the host's answer with the observation, asked for once", async () => {
  await Promise.all([ask(), ask()]);
  expect(observation?.wire).toEqual(time);
  expect(asked).toEqual([
    {
      type: 'time-on-wire',
      fromMs: startMs,
      toMs: startMs + 90,
      servers: [{ address: '192.0.2.1', port: 443 }],
    },
  ]);
});

it('keeps no figure that may be of another tab', async () => {
  others = [{ ...server, atMs: startMs + 100 }];
  await ask();
  expect(observation?.wire).toEqual({ missing: 'shared', detail: null });
});

/** A picture that the page's service worker fetched from a server of its own choice. */
function fetchByWorker(): void {
  const picture = makeEntry({ name: 'https://example.org/1', workerStart: 5 });
  const message = makePage({ loadEventEnd: 90, requests: [picture] });
  observation = observationOf(message, null, [server], true);
  byWorkers = [{ origin: 'https://images.example', address: '192.0.2.7', atMs: startMs + 30 }];
}

it("asks about its service worker's servers too", async () => {
  fetchByWorker();
  await ask();
  expect(observation?.wire).toEqual(time);
  expect(asked).toMatchObject([
    {
      servers: [
        { address: '192.0.2.1', port: 443 },
        { address: '192.0.2.7', port: 443 },
      ],
    },
  ]);
});

it("keeps no figure where a service worker's requests are not told, or may be for another tab of the site", async () => {
  fetchByWorker();
  openElsewhere = true;
  await ask();
  expect(observation?.wire).toEqual({ missing: 'shared', detail: null });
  fetchByWorker();
  byWorkers = null;
  await ask();
  expect(observation?.wire).toEqual({ missing: 'no-addresses', detail: null });
  fetchByWorker();
  // It may have asked any host.
  seesAll = false;
  await ask();
  expect(observation?.wire).toEqual({ missing: 'no-addresses', detail: null });
});

it('keeps the words of a host that cannot', async () => {
  const remedy = 'sudo setcap cap_net_raw+ep /usr/bin/tcpdump';
  answer = Promise.reject(new TowlineError('permission-denied', 'capture', 'Not allowed.', { remedy }));
  await ask();
  expect(observation?.wire).toEqual({ missing: 'not-captured', detail: `Not allowed. ${remedy}` });
});

it('waits for an answer only so long', async () => {
  vi.useFakeTimers();
  answer = new Promise(() => undefined);
  const asking = ask();
  await vi.advanceTimersByTimeAsync(60_000);
  await asking;
  expect(observation?.wire).toEqual({ missing: 'unanswered', detail: null });
});

it('keeps nothing of what was erased meanwhile', async () => {
  const asking = ask();
  observation = null;
  await asking;
  expect(observation).toBeNull();
});

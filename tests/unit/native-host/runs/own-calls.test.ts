import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { askOwnBrowser } from '../../../../native-host/runs/ask-own-browser.ts';
import { OwnCallFiles } from '../../../../native-host/runs/own-call-files.ts';
import { OwnCallRelay, type OwnCallEvents } from '../../../../native-host/runs/own-call-relay.ts';
import { identityOf } from '../../../../native-host/runs/process-identity.ts';
import type { OwnCall } from '../../../../shared/messages/own-browser.ts';
import { temporaryRoot } from './temporary-root.ts';

const browserPid = 4242;
const begin: OwnCall = { verb: 'begin', arm: 'h2', http3Origins: [] };
const longEnough = { timeout: 30_000, interval: 10 };

function relay(directory: string, pid: number, events: Partial<OwnCallEvents>): OwnCallRelay {
  const made = new OwnCallRelay(directory, pid, {
    onCall: () => undefined,
    onStop: () => undefined,
    onError: (error) => {
      throw error;
    },
    ...events,
  });
  onTestFinished(() => {
    made.close();
  });
  return made;
}

/** A process like a trial's, until it is killed. */
async function otherProcess() {
  const child = spawn('sleep', ['600'], { stdio: 'ignore' });
  await once(child, 'spawn');
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const identity = await identityOf(child.pid ?? 0);
  if (identity === null) throw new Error('It has ended.');
  return { child, identity };
}

test('a call goes to the browser it is for, once, and its answer comes back', async () => {
  const directory = temporaryRoot();
  const seen: OwnCall[] = [];
  const others: OwnCall[] = [];
  relay(directory, 1, { onCall: (_callId, call) => others.push(call) });
  const made = relay(directory, browserPid, {
    onCall: (callId, call) => {
      seen.push(call);
      void made.answer(callId, { type: 'begun' });
    },
  });
  expect(await askOwnBrowser(directory, browserPid, begin, 60_000)).toEqual({ type: 'begun' });
  const finish: OwnCall = { verb: 'finish' };
  await askOwnBrowser(directory, browserPid, finish, 60_000);
  expect(seen).toEqual([begin, finish]);
  expect(others).toEqual([]);
});

test('the browser is told to stop when the process of the trial ends before its last step', async () => {
  const directory = temporaryRoot();
  const { child, identity } = await otherProcess();
  let taken = 0;
  let stopped = 0;
  const made = relay(directory, browserPid, {
    onCall: (callId) => {
      taken += 1;
      void made.answer(callId, { type: 'begun' });
    },
    onStop: () => (stopped += 1),
  });
  await new OwnCallFiles(directory).write('call', {
    callId: 'one',
    browserPid,
    worker: identity,
    call: begin,
  });
  await expect.poll(() => taken, longEnough).toBe(1);
  expect(stopped).toBe(0);
  child.kill('SIGKILL');
  await expect.poll(() => stopped, longEnough).toBe(1);
});

test('what a relay that ends leaves unfinished is told to stop, what is finished is not', async () => {
  const directory = temporaryRoot();
  let stopped = 0;
  const made = relay(directory, browserPid, {
    onCall: (callId, { verb }) =>
      void made.answer(
        callId,
        verb === 'begin' ? { type: 'begun' } : { type: 'finished', account: { requests: [], altSvc: {} } },
      ),
    onStop: () => (stopped += 1),
  });
  await askOwnBrowser(directory, browserPid, begin, 60_000);
  await askOwnBrowser(directory, browserPid, { verb: 'finish' }, 60_000);
  made.close();
  expect(stopped).toBe(0);
  const next = relay(directory, browserPid, {
    onCall: (callId) => void next.answer(callId, { type: 'begun' }),
    onStop: () => (stopped += 1),
  });
  await askOwnBrowser(directory, browserPid, begin, 60_000);
  next.close();
  expect(stopped).toBe(1);
});

test('a call fails at once when the host that took it ends', async () => {
  const directory = temporaryRoot();
  const { child, identity } = await otherProcess();
  const files = new OwnCallFiles(directory);
  const answer = askOwnBrowser(directory, browserPid, begin, 600_000);
  const failed = expect(answer).rejects.toMatchObject({ code: 'own-browser-lost' });
  await expect.poll(() => files.read('call'), longEnough).not.toBeNull();
  const callId = (await files.read('call'))?.callId ?? '';
  await files.write('taken', { callId, host: identity });
  child.kill('SIGKILL');
  await failed;
});

test('what is not as agreed is not handed to the browser', async () => {
  const directory = temporaryRoot();
  const { identity } = await otherProcess();
  const errors: unknown[] = [];
  const seen: OwnCall[] = [];
  relay(directory, browserPid, {
    onCall: (_callId, call) => seen.push(call),
    onError: (error) => errors.push(error),
  });
  const load = { verb: 'load', url: 'file:///etc/passwd', timeoutMs: 1 } as const;
  await new OwnCallFiles(directory).write('call', {
    callId: 'one',
    browserPid,
    worker: identity,
    call: load,
  });
  await expect.poll(() => errors.length, longEnough).toBeGreaterThan(0);
  expect(seen).toEqual([]);
});

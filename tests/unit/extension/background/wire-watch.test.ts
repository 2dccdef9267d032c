import { beforeEach, expect, it } from 'vitest';
import type { HostQuestion } from '../../../../extension/background/host-port.ts';
import { WireWatch } from '../../../../extension/background/wire-watch.ts';
import { TowlineError } from '../../../../shared/errors/towline-error.ts';
import type { HostMessage } from '../../../../shared/messages/host-protocol.ts';

let isWanted: boolean;
let asked: HostQuestion[];
let saved: number[];
let answer: () => Promise<HostMessage>;

beforeEach(() => {
  isWanted = true;
  asked = [];
  saved = [];
  answer = () => Promise.resolve({ type: 'watching', requestId: 'w', interface: 'eth0' });
});

/** A life of the background. */
function newLife(): WireWatch {
  return new WireWatch({
    host: {
      ask: (question) => {
        asked.push(question);
        return question.type === 'watch' ? answer() : Promise.resolve({ type: 'done', requestId: 'd' });
      },
      state: { state: 'ready', hostVersion: '0.1.0' },
    },
    isWanted: () => Promise.resolve(isWanted),
    ports: {
      load: () => Promise.resolve(saved),
      save: (ports) => {
        saved = [...ports];
        return Promise.resolve();
      },
    },
  });
}

it('asks for nothing, and holds no connection, while it is not wanted', async () => {
  isWanted = false;
  const watch = newLife();
  await watch.follow();
  expect(asked).toEqual([]);
  expect(watch.needsHost).toBe(false);
});

it('watches in every life of the background, and ends it when it is not wanted any more', async () => {
  await newLife().follow();
  const watch = newLife();
  await watch.follow();
  expect(asked).toEqual([
    { type: 'watch', ports: [] },
    { type: 'watch', ports: [] },
  ]);
  expect(watch.state).toEqual({ state: 'on', interface: 'eth0' });
  expect(watch.needsHost).toBe(true);
  isWanted = false;
  await watch.follow();
  expect(asked.at(-1)).toEqual({ type: 'unwatch' });
  expect(watch.needsHost).toBe(false);
});

it('adds the ports of pages, also several at once, and keeps them for the next life', async () => {
  const watch = newLife();
  for (const port of [8443, 9443, 8443]) watch.noteServer(`https://example.org:${port}`);
  watch.noteServer('https://example.org');
  watch.noteServer('http://example.org:8080');
  await watch.follow();
  expect(saved).toEqual([8443, 9443]);
  await newLife().follow();
  expect(asked.at(-1)).toEqual({ type: 'watch', ports: [8443, 9443] });
});

it('says what keeps the host from watching, and tries again when it is asked again', async () => {
  const remedy = 'sudo setcap cap_net_raw+ep /usr/bin/tcpdump';
  const works = answer;
  answer = () => Promise.reject(new TowlineError('permission-denied', 'capture', 'Not allowed.', { remedy }));
  const watch = newLife();
  await watch.follow();
  expect(watch.state).toMatchObject({ state: 'failed', error: { code: 'permission-denied', remedy } });
  answer = works;
  await watch.follow();
  expect(watch.state).toEqual({ state: 'on', interface: 'eth0' });
});

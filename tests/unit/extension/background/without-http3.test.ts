import { describe, expect, it } from 'vitest';
import { WithoutHttp3 } from '../../../../extension/background/without-http3.ts';
import type { HostMessage } from '../../../../shared/messages/host-protocol.ts';
import type { PageReading, TimingEntry } from '../../../../shared/messages/page-reading.ts';

const page = 'https://example.org/news';
const secret = 's'.repeat(43);
const challenge = { requestId: '7', host: '127.0.0.1', port: 40_123 };

function entry(url: string, nextHopProtocol: string): TimingEntry {
  return [url, 'img', nextHopProtocol, 0, 0, 0, 0, 0, 0, 0, 0, '', 200];
}

type Told = Pick<PageReading, 'entries'>;

const over = (protocol: string): Told => ({
  entries: [
    entry(page, protocol),
    entry('https://example.org/a.png', protocol),
    entry('https://example.org/hidden', ''),
    entry('https://example.org.test/b.png', 'h3'),
  ],
});

type Level =
  | 'controlled_by_this_extension'
  | 'controllable_by_this_extension'
  | 'controlled_by_other_extensions'
  | 'not_controllable';

/** A browser, a host and a page, and what was done to them. */
function setUp({
  mode = 'system',
  levelOfControl = 'controllable_by_this_extension',
  pages = [over('h2')],
}: { mode?: string; levelOfControl?: Level; pages?: (Told | null)[] } = {}) {
  const done: string[] = [];
  const note = (deed: string) => Promise.resolve(void done.push(deed));
  let taken: (level: Level) => void = () => undefined;
  let reloading: () => void = () => undefined;
  const control = new WithoutHttp3({
    proxy: {
      read: () => Promise.resolve({ mode, levelOfControl }),
      usePacScript: (script) => note(/PROXY [\d.:]+/.exec(script)?.[0] ?? script),
      clear: () => note('clear'),
      onChange: (listener) => (taken = listener),
      onError: () => undefined,
    },
    ask: async (question): Promise<HostMessage> => {
      await note('host' in question ? `${question.type} ${question.host}` : question.type);
      if (question.type !== 'start-relay') return { type: 'done', requestId: '1' };
      return { type: 'relay', requestId: '1', port: challenge.port, secret };
    },
    forgetAlternatives: () => note('forget'),
    reload: async (tabId) => {
      await note(`reload ${tabId}`);
      reloading();
      return pages.shift() ?? null;
    },
  });
  return {
    control,
    done,
    takeOver: (level: Level) => {
      taken(level);
    },
    whileReloading: (deed: () => void) => (reloading = deed),
  };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));

describe('WithoutHttp3', () => {
  it('takes back what an earlier life has left', async () => {
    const { done } = setUp({ levelOfControl: 'controlled_by_this_extension' });
    await settled();
    expect(done).toEqual(['clear', 'forget']);
  });

  it('opens the relay, sets the script, and reads the load', async () => {
    const { control, done } = setUp();
    await control.start(page, 3);
    expect(done).toEqual(['clear', 'start-relay example.org', 'PROXY 127.0.0.1:40123', 'reload 3']);
    expect(control.state).toEqual({
      state: 'on',
      origin: 'https://example.org',
      load: { protocol: 'h2', requests: 2, http3: 0 },
    });
    await control.stop();
    expect(done.slice(4)).toEqual(['clear', 'forget', 'stop-relay']);
    expect(control.state).toEqual({ state: 'off', failed: null });
  });

  it('loads once more where the first load was ahead of the setting, and says what it sees then', async () => {
    const { control, done } = setUp({ pages: [over('h3'), over('h3'), over('h2')] });
    await control.start(page, 3);
    expect(done.filter((deed) => deed === 'reload 3')).toHaveLength(2);
    expect(control.state).toMatchObject({ state: 'on', load: { requests: 2, http3: 2 } });
  });

  it('gives the secret to its own relay alone, once for a request, and to nobody when it is off', async () => {
    const { control } = setUp();
    expect(control.answer(challenge)).toBeNull();
    await control.start(page, 3);
    expect(control.answer({ ...challenge, port: 3128 })).toBeNull();
    expect(control.answer({ ...challenge, host: 'proxy.example' })).toBeNull();
    expect(control.answer(challenge)).toEqual({ username: 'towline', password: secret });
    expect(control.answer(challenge)).toBe('cancel');
    await control.stop();
    expect(control.answer(challenge)).toBeNull();
  });

  it.each([
    [{ levelOfControl: 'controlled_by_other_extensions' }, 'Another extension'],
    [{ levelOfControl: 'not_controllable' }, 'policy'],
    [{ mode: 'fixed_servers' }, 'fixed_servers'],
    [{ mode: 'auto_detect' }, 'auto_detect'],
  ] as const)('leaves a proxy alone that somebody else has set: %o', async (other, words) => {
    const { control, done } = setUp(other);
    await control.start(page, 3);
    expect(control.state).toMatchObject({
      state: 'off',
      failed: { origin: 'https://example.org', error: { code: 'proxy-in-the-way' } },
    });
    expect(JSON.stringify(control.state)).toContain(words);
    expect(done).toEqual(['clear']);
  });

  it('is off again when the host ends, also in the middle of switching', async () => {
    for (const middle of [false, true]) {
      const { control, done, whileReloading } = setUp();
      if (middle) {
        whileReloading(() => {
          control.hostGone();
        });
      }
      await control.start(page, 3);
      control.hostGone();
      await settled();
      expect(control.state).toMatchObject({
        state: 'off',
        failed: { error: { code: 'host-not-installed' } },
      });
      expect(done.slice(-2)).toEqual(['clear', 'forget']);
      expect(control.answer(challenge)).toBeNull();
    }
  });

  it('ends its relay when another extension takes the setting over', async () => {
    const { control, done, takeOver } = setUp();
    await control.start(page, 3);
    takeOver('controlled_by_other_extensions');
    await settled();
    expect(control.state).toMatchObject({ state: 'off', failed: { error: { code: 'proxy-in-the-way' } } });
    expect(done.slice(4)).toEqual(['clear', 'forget', 'stop-relay']);
  });
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { KeptLine, type LineEvents } from '../../../../extension/platform/kept-line.ts';

/** The other end: every connection that was opened to it, and what came over each. */
class OtherEnd {
  readonly opened: { events: LineEvents; posted: unknown[]; closed: boolean }[] = [];
  readonly open = (events: LineEvents) => {
    const line = { events, posted: [] as unknown[], closed: false };
    this.opened.push(line);
    return {
      post: (message: unknown) => void line.posted.push(message),
      close: () => {
        line.closed = true;
      },
    };
  };
  get last() {
    return this.opened.at(-1) ?? expect.fail('nothing was opened');
  }
}

let other: OtherEnd;
let said: unknown[];
let line: KeptLine;
beforeEach(() => {
  vi.useFakeTimers();
  other = new OtherEnd();
  said = [];
  line = new KeptLine(other.open, (message) => void said.push(message));
});
afterEach(() => {
  vi.useRealTimers();
});

test('is opened again at once after a connection that brought something', async () => {
  other.last.events.onMessage('hello');
  other.last.events.onClose();
  await vi.advanceTimersByTimeAsync(0);
  expect(other.opened).toHaveLength(2);
  expect(said).toEqual(['hello']);
});

test('an end that refuses every try is asked ever more rarely, and at once again when it has answered', async () => {
  const refuse = setInterval(() => {
    other.last.events.onClose();
  }, 1);
  await vi.advanceTimersByTimeAsync(60_000);
  clearInterval(refuse);
  // At 0, 0.25, 0.75, 1.75, 3.75, 7.75, 15.75 s and every ten seconds from then on.
  expect(other.opened.length).toBeGreaterThan(5);
  expect(other.opened.length).toBeLessThan(15);

  await vi.advanceTimersByTimeAsync(10_000);
  const before = other.opened.length;
  other.last.events.onMessage('there');
  other.last.events.onClose();
  await vi.advanceTimersByTimeAsync(0);
  expect(other.opened).toHaveLength(before + 1);
});

test('what is sent between two connections opens the next one', async () => {
  other.last.events.onClose();
  line.send('now');
  expect(other.opened).toHaveLength(2);
  expect(other.last.posted).toEqual(['now']);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(other.opened).toHaveLength(2);
});

test('rests until it is woken, whatever the old connection still says', async () => {
  const [first] = other.opened;
  line.rest();
  expect(first?.closed).toBe(true);
  first?.events.onClose();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(other.opened).toHaveLength(1);
  line.wake();
  line.wake();
  expect(other.opened).toHaveLength(2);
});

import type { Arm } from './arm.ts';
import type { BrowserFamily } from './browser-family.ts';
import type { Metric } from './statistics.ts';

/** What each arm is, for a person. */
export const armNames: Readonly<Record<Arm, string>> = {
  h1: 'HTTP/1.1',
  h2: 'HTTP/2',
  h3: 'HTTP/3',
  auto: "the browser's own choice",
};

export const browserNames: Readonly<Record<BrowserFamily, string>> = {
  chromium: 'Chromium',
  firefox: 'Firefox',
};

/** What each figure is called, and what it means, in words that can follow a colon. */
export const metricNames: Readonly<Record<Metric, { name: string; meaning: string }>> = {
  timeOnWireMs: {
    name: 'Time on Wire',
    meaning:
      'from the packet of the first request to the last packet of a response, without the first handshake and ' +
      "without the browser's own work",
  },
  setupMs: {
    name: 'Set-up',
    meaning: 'from the first packet to the packet of the first request: the first handshake',
  },
  wireTotalMs: {
    name: 'Set-up + Time on Wire',
    meaning: 'from the first packet to the last packet of a response',
  },
  loadTimeMs: {
    name: 'Load time',
    meaning: "from the start of the navigation to the end of the page's load event, as the browser tells it",
  },
};

/** `a`, `a and b`, `a, b and c`. Empty for nothing. */
export function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}

/** `1 block`, `2 blocks`. */
export function counted(count: number, singular: string): string {
  return `${count} ${singular}${count === 1 ? '' : 's'}`;
}

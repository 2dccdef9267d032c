import type { OwnBrowser } from '../../shared/messages/own-browser.ts';
import type { Shape } from '../../shared/record/path.ts';
import type { CompareRequest } from '../messaging/host-runs.ts';

/**
 * The command line that does what the extension asked. Every argument comes from a checked message: the address
 * begins with http, the arms are names of a list, the rest are numbers.
 *
 * @param browserPid the browser whose end ends the run
 */
export function compareArguments(
  { url, arms, rounds, precisionPercent, gapMs, shape, browser }: Omit<CompareRequest, 'type' | 'requestId'>,
  runId: string,
  browserPid: number,
): string[] {
  return [
    'compare',
    url,
    ...['--arms', arms.join(',')],
    ...(precisionPercent === null
      ? ['--rounds', String(rounds)]
      : ['--precision', `${decimal(precisionPercent)}%`, '--max-rounds', String(rounds)]),
    ...['--gap', `${Math.round(gapMs)}ms`],
    ...(typeof browser === 'string' ? ['--browser', browser] : ownBrowserArguments(browser)),
    ...(shape === null ? [] : ['--shape', shapeArgument(shape)]),
    ...['--run-id', runId],
    ...['--owner-pid', String(browserPid)],
  ];
}

/** The person's own browser is on the person's own network, and measured as it is. */
function ownBrowserArguments({ version, headless }: OwnBrowser): string[] {
  return ['--own-browser', version, ...(headless ? [] : ['--headed']), '--network', 'none'];
}

/** A shape as the command line reads it: plain decimals, every part named. */
function shapeArgument(shape: Shape): string {
  const parts: Record<string, string | null> = {
    rtt: `${decimal(shape.rttMs)}ms`,
    down: rate(shape.downBitsPerSecond),
    up: rate(shape.upBitsPerSecond),
    'loss-down': `${decimal(shape.lossDownRatio * 100)}%`,
    'loss-up': `${decimal(shape.lossUpRatio * 100)}%`,
    queue: decimal(shape.queuePackets),
  };
  return Object.entries(parts)
    .flatMap(([name, value]) => (value === null ? [] : [`${name}=${value}`]))
    .join(',');
}

function rate(bitsPerSecond: number | null): string | null {
  return bitsPerSecond === null ? null : `${decimal(bitsPerSecond / 1000)}kbit`;
}

/** Without exponent, and without the tail that binary fractions grow. */
function decimal(value: number): string {
  return value.toFixed(6).replace(/\.?0+$/, '');
}

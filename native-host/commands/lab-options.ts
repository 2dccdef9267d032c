import type { Arm } from '../../shared/record/arm.ts';
import { maxServers, type LabSetup } from '../../shared/record/lab-setup.ts';
import { TowlineError } from '../../shared/errors/towline-error.ts';
import { defaultCongestionControl, defaultInitialWindow } from '../network/tcp-route.ts';
import { parseWhole } from './compare-options.ts';

/** How the lab's servers are to be set up, as typed: what is left out is undefined. */
export interface LabOptions {
  shards?: string;
  ip?: string;
  server?: string;
  streams?: string;
  initcwnd?: string;
  congestion?: string;
}

const optionNames = ['shards', 'ip', 'server', 'streams', 'initcwnd', 'congestion'] as const;

/** @throws TowlineError `bad-argument` where one was given, which only the lab's own servers can follow */
export function refuseLabOptions(options: LabOptions): void {
  const given = optionNames.find((name) => options[name] !== undefined);
  if (given === undefined) return;
  throw new TowlineError('bad-argument', 'arguments', `--${given} is for the lab's own servers.`, {
    remedy: 'Leave it out, or compare a page of the lab, such as lab:youtube.',
  });
}

/**
 * The servers asked for. Without options: one Caddy on IPv4, ten segments, CUBIC.
 * @param arms that are to be loaded: not every server speaks every protocol
 * @throws TowlineError `bad-argument`
 */
export function parseLabSetup(options: LabOptions, arms: readonly Arm[]): LabSetup {
  const shards = parseWhole('--shards', options.shards ?? '1', 1, maxServers);
  const server = oneOf('--server', options.server ?? 'caddy', ['caddy', 'apache']);
  const maxStreams = options.streams === undefined ? null : parseWhole('--streams', options.streams, 1, 100);
  if (maxStreams !== null && server !== 'apache') {
    throw new TowlineError('bad-argument', 'arguments', '--streams: Caddy has no such limit to set.', {
      remedy: 'Add --server apache, whose H2MaxSessionStreams it is; then the arms are h1 and h2.',
    });
  }
  if (server === 'apache' && arms.includes('h3')) {
    throw new TowlineError('bad-argument', 'arguments', 'Apache httpd does not speak HTTP/3.', {
      remedy: 'Leave h3 out: --arms h1,h2. Or use Caddy, which is the default.',
    });
  }
  return {
    server,
    shards,
    ipVersion: oneOf('--ip', options.ip ?? '4', ['4', '6']) === '6' ? 6 : 4,
    initialWindowPackets: parseWindows(options.initcwnd ?? String(defaultInitialWindow), shards),
    congestionControl: parseCongestionControl(options.congestion ?? defaultCongestionControl),
    maxStreams,
  };
}

/** `3` for all servers, or one for each: `3,10,10`. */
function parseWindows(text: string, shards: number): number[] {
  const windows = text.split(',').map((part) => parseWhole('--initcwnd', part, 1, 100));
  if (windows.length === shards) return windows;
  if (windows.length === 1) return Array.from({ length: shards }, () => windows[0] ?? defaultInitialWindow);
  throw new TowlineError(
    'bad-argument',
    'arguments',
    `--initcwnd ${text}: ${windows.length} windows for ${shards === 1 ? 'one server' : `${shards} servers`}.`,
    { remedy: 'Give one for all servers, or one for each (--shards says how many there are).' },
  );
}

/** Whether this kernel has it is seen when the network is made. */
function parseCongestionControl(text: string): string {
  if (/^[a-z][a-z0-9_-]{0,14}$/.test(text)) return text;
  throw new TowlineError('bad-argument', 'arguments', `--congestion ${text}: no name of an algorithm.`, {
    remedy: 'Use one that Linux has, such as cubic, reno or bbr.',
  });
}

function oneOf<Name extends string>(option: string, text: string, names: readonly Name[]): Name {
  const name = names.find((known) => known === text);
  if (name !== undefined) return name;
  throw new TowlineError(
    'bad-argument',
    'arguments',
    `${option} ${text}: it is one of ${names.join(', ')}.`,
    {
      remedy: `Use ${option} ${names.join(` or ${option} `)}.`,
    },
  );
}

import { TowlineError } from '../../shared/errors/towline-error.ts';

/** What libpcap or tcpdump said against a capture, as an error that says what to do. */
export function captureError(interfaceName: string, said: string, cause?: unknown): TowlineError {
  const words = said.trim().replaceAll(/\s+/g, ' ');
  // tcpdump as root always changes its user, which a user namespace with a single user forbids.
  if (/couldn't change to/i.test(words)) {
    return new TowlineError(
      'capture-missing',
      'capture',
      `tcpdump cannot run in a user namespace (${words}).`,
      {
        remedy: 'Build the libpcap addon instead: apt-get install libpcap-dev, then npm rebuild pcap.',
        cause,
      },
    );
  }
  if (/permission|permitted|CAP_NET_RAW/i.test(words)) {
    return new TowlineError(
      'permission-denied',
      'capture',
      `Capturing on ${interfaceName} is not allowed: ${words}.`,
      {
        remedy:
          'Run as root, or let Towline make a network namespace of its own (towline doctor says what it lacks).',
        cause,
      },
    );
  }
  return new TowlineError('capture-failed', 'capture', `Capturing on ${interfaceName} failed: ${words}.`, {
    remedy: 'See whether the interface exists and is up: ip link.',
    cause,
  });
}

/** Neither the addon nor tcpdump is there. */
export function captureMissing(cause: unknown): TowlineError {
  return new TowlineError(
    'capture-missing',
    'capture',
    'Neither the libpcap addon nor tcpdump is installed.',
    {
      remedy: 'Run npm rebuild pcap (it needs libpcap-dev), or apt-get install tcpdump.',
      cause,
    },
  );
}

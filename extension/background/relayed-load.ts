import type { PageReading } from '../../shared/messages/page-reading.ts';
import type { RelayedLoad } from '../../shared/messages/without-http3.ts';

/** What a page's own timings say of its requests to one origin; null where they name no protocol. */
export function relayedLoad(page: Pick<PageReading, 'entries'> | null, origin: string): RelayedLoad | null {
  const protocols = (page?.entries ?? []).flatMap((entry) => {
    if (!entry[0].startsWith(`${origin}/`)) return [];
    const nextHopProtocol = entry[2];
    return nextHopProtocol === '' ? [] : [nextHopProtocol];
  });
  const [protocol] = protocols;
  if (protocol === undefined) return null;
  const http3 = protocols.filter((each) => each.startsWith('h3')).length;
  return { protocol, requests: protocols.length, http3 };
}

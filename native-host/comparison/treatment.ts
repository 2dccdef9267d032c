import type { Arm, Protocol } from '../../shared/record/arm.ts';
import type { Resource, Treatment } from '../../shared/record/trial.ts';
import type { Wire, WireFlow } from '../../shared/record/wire.ts';
import { intendedProtocol, protocolOf } from '../../shared/arms/protocol-names.ts';

/** What is loaded: an address, and which other origins are the page's own. */
export interface ComparedPage {
  url: string;
  /** Origins besides the document's that the page is spread over: the lab's shards. None on a live site. */
  shards: readonly string[];
}

/**
 * The requests that went over the network to the page's own origins, the document's and its shards': those the arm
 * must have carried.
 */
export function ownRequests(resources: readonly Resource[], page: ComparedPage): Resource[] {
  const own = ownOrigins(resources, page);
  return resources.filter(({ url, fromCache }) => !fromCache && own.has(new URL(url).origin));
}

function ownOrigins(resources: readonly Resource[], { url, shards }: ComparedPage): Set<string> {
  return new Set([pageOriginOf(resources, url), ...shards]);
}

/** The origin of the page as it ended up: redirects of the document are followed. */
function pageOriginOf(resources: readonly Resource[], url: string): string {
  const document = resources.findLast(
    ({ type, status, failure }) => type === 'document' && status !== null && status < 300 && failure === null,
  );
  return new URL(document?.url ?? url).origin;
}

/** How much of the page the intended protocol really carried, as the browser says and as the packets say. */
export function treatmentOf(
  arm: Arm,
  page: ComparedPage,
  resources: readonly Resource[],
  wire: Wire | null,
): Treatment {
  const mix: Record<string, number> = {};
  for (const { protocol, fromCache } of resources) {
    const name = fromCache ? 'cache' : (protocol ?? 'unknown');
    mix[name] = (mix[name] ?? 0) + 1;
  }
  const own = ownRequests(resources, page);
  const wanted = intendedProtocol(arm);
  if (wanted === null) return { requestShare: null, byteShare: null, wireByteShare: null, mix };
  const treated = own.filter(({ protocol }) => protocolOf(protocol) === wanted);
  return {
    requestShare: share(treated.length, own.length),
    byteShare: share(bytesOf(treated), bytesOf(own)),
    wireByteShare: wire && wireByteShare(wire, hostsOf(own, ownOrigins(resources, page)), wanted),
    mix,
  };
}

const bytesOf = (resources: readonly Resource[]): number =>
  resources.reduce((sum, { transferBytes }) => sum + (transferBytes ?? 0), 0);

const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

/** Names of the own hosts, and their addresses, by which a flow goes that names no host. */
function hostsOf(own: readonly Resource[], origins: ReadonlySet<string>): Set<string> {
  const names = [...origins].map((origin) => new URL(origin).hostname);
  return new Set([...names, ...own.flatMap(({ serverAddress }) => serverAddress ?? [])]);
}

/**
 * The share of the own hosts' bytes that flows of the wanted protocol carried. Spare connections that never
 * carried a request are left out: they belong to no protocol's page load. Without keys TLS 1.3 hides which of the
 * protocols offered was chosen: then a flow counts where its transport is the wanted one's.
 */
function wireByteShare(wire: Wire, hosts: ReadonlySet<string>, wanted: Protocol): number | null {
  const own = wire.flows.filter(({ page, sni, serverAddress }) => page && hosts.has(sni ?? serverAddress));
  const bytes = (flows: typeof own): number => flows.reduce((sum, { bytesDown }) => sum + bytesDown, 0);
  const transport = wanted === 'h3' ? 'quic' : 'tcp';
  const isWanted = (flow: WireFlow): boolean =>
    flow.protocol === wanted ||
    (flow.protocol === null && flow.requests === null && flow.transport === transport);
  return share(bytes(own.filter(isWanted)), bytes(own));
}

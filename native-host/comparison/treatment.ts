import type { Arm, Protocol } from '../../shared/record/arm.ts';
import type { Resource, Treatment } from '../../shared/record/trial.ts';
import type { Wire } from '../../shared/record/wire.ts';
import { intendedProtocol, protocolOf } from '../arms/protocol-names.ts';

/** The requests that went to the document's own origin over the network: those the arm must have carried. */
export function ownRequests(resources: readonly Resource[], pageOrigin: string): Resource[] {
  return resources.filter(({ url, fromCache }) => !fromCache && new URL(url).origin === pageOrigin);
}

/** The origin of the page as it ended up: redirects of the document are followed. */
export function pageOriginOf(resources: readonly Resource[], url: string): string {
  const document = resources.findLast(
    ({ type, status, failure }) => type === 'document' && status !== null && status < 300 && failure === null,
  );
  return new URL(document?.url ?? url).origin;
}

/** How much of the page the intended protocol really carried, as the browser says and as the packets say. */
export function treatmentOf(
  arm: Arm,
  url: string,
  resources: readonly Resource[],
  wire: Wire | null,
): Treatment {
  const mix: Record<string, number> = {};
  for (const { protocol, fromCache } of resources) {
    const name = fromCache ? 'cache' : (protocol ?? 'unknown');
    mix[name] = (mix[name] ?? 0) + 1;
  }
  const origin = pageOriginOf(resources, url);
  const own = ownRequests(resources, origin);
  const wanted = intendedProtocol(arm);
  if (wanted === null) return { requestShare: null, byteShare: null, wireByteShare: null, mix };
  const treated = own.filter(({ protocol }) => protocolOf(protocol) === wanted);
  return {
    requestShare: share(treated.length, own.length),
    byteShare: share(bytesOf(treated), bytesOf(own)),
    wireByteShare: wire && wireByteShare(wire, new URL(origin).hostname, wanted),
    mix,
  };
}

const bytesOf = (resources: readonly Resource[]): number =>
  resources.reduce((sum, { transferBytes }) => sum + (transferBytes ?? 0), 0);

const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

/**
 * The share of the own host's bytes that flows of the wanted protocol carried. Spare connections that never
 * carried a request are left out: they belong to no protocol's page load.
 */
function wireByteShare(wire: Wire, hostname: string, wanted: Protocol): number | null {
  const own = wire.flows.filter(
    ({ page, sni, serverAddress }) => page && (sni ?? serverAddress) === hostname,
  );
  const bytes = (flows: typeof own): number => flows.reduce((sum, { bytesDown }) => sum + bytesDown, 0);
  return share(bytes(own.filter(({ protocol }) => protocol === wanted)), bytes(own));
}

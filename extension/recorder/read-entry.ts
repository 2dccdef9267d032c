import type { TimingEntry } from '../../shared/messages/page-reading.ts';
import type { ObservedRequest } from '../../shared/record/observation.ts';

type Source = ObservedRequest['source'];

/** Once the document's time origin is subtracted, a hundredth of a millisecond is already more than is known. */
const rounded = (ms: number): number => Math.round(ms * 100) / 100;

/**
 * What a timing entry says about its request. `sinceMs`: the zero of the request's times, in the entry's.
 *
 * Sources: Resource Timing, "PerformanceResourceTiming" (transferSize is 0 for the cache and 300 for a
 * revalidation, https://www.w3.org/TR/resource-timing/#dom-performanceresourcetiming-transfersize), and its
 * "Cross-origin resources" (without Timing-Allow-Origin requestStart and its like are 0).
 */
export function readEntry(entry: TimingEntry, sinceMs: number): ObservedRequest {
  const [
    name,
    initiator,
    nextHopProtocol,
    startMs,
    endMs,
    connectStart,
    connectEnd,
    ,
    ,
    transferSize,
    ,
    ,
    status,
  ] = entry;
  const source = sourceOf(entry);
  const fromNetwork = source === 'network' || source === 'revalidated';
  return {
    url: withoutSecrets(name),
    initiator,
    source,
    protocol: fromNetwork && nextHopProtocol !== '' ? nextHopProtocol : null,
    startMs: rounded(startMs - sinceMs),
    endMs: rounded(endMs - sinceMs),
    transferBytes: source === 'hidden' || source === 'service-worker' ? null : transferSize,
    newConnection: source === 'hidden' ? null : fromNetwork && connectEnd > connectStart,
    status: status === 0 ? null : status,
  };
}

function sourceOf(entry: TimingEntry): Source {
  const [
    ,
    ,
    nextHopProtocol,
    ,
    ,
    ,
    ,
    requestStart,
    workerStart,
    transferSize,
    bodySize,
    deliveryType,
    status,
  ] = entry;
  if (workerStart > 0) return 'service-worker';
  if (requestStart === 0) return 'hidden';
  if (deliveryType === 'cache') return 'cache';
  if (transferSize === 0) return bodySize > 0 || nextHopProtocol === '' ? 'cache' : 'hidden';
  // A revalidation counts as a header of 300 bytes without the body, which is there all the same.
  return status === 304 || transferSize < bodySize ? 'revalidated' : 'network';
}

/** User, query and fragment are where addresses hold secrets; what remains names the resource. */
export function withoutSecrets(address: string): string {
  const url = URL.parse(address);
  if (!url) return '';
  if (!/^https?:$/.test(url.protocol)) return url.protocol;
  return url.origin + url.pathname;
}

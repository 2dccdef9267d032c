import type { TimingEntry } from '../../shared/messages/recorder-messages.ts';

/** The fields that count of a Resource Timing or Navigation Timing entry. Every read costs: no more than these. */
export function timingEntry(entry: PerformanceResourceTiming): TimingEntry {
  return [
    entry.name,
    entry.initiatorType,
    entry.nextHopProtocol,
    entry.startTime,
    entry.responseEnd,
    entry.connectStart,
    entry.connectEnd,
    entry.requestStart,
    entry.workerStart,
    entry.transferSize,
    entry.encodedBodySize,
    // Not in Firefox.
    (entry as { deliveryType?: string }).deliveryType ?? '',
    entry.responseStatus,
  ];
}

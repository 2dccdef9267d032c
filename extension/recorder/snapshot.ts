/**
 * Runs in the page when the popup opens over it, by `activeTab`: lays down a function that tells the page's
 * requests. They are the recorder's where it runs, else the browser's own buffer.
 */
import type { PageSnapshot } from '../../shared/messages/recorder-messages.ts';
import type { PageRecorder } from './page-recorder.ts';
import { timingEntry } from './timing-entry.ts';

/** Entries the browser keeps by itself: Resource Timing, "resource timing buffer size limit". */
const browserKeeps = 250;

const shared = globalThis as {
  towlineRecorder?: PageRecorder;
  towlineSnapshot?: () => PageSnapshot;
};

shared.towlineSnapshot = () => {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const buffered = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
  const recorded = shared.towlineRecorder?.entries() ?? [];
  const entries = recorded.length >= buffered.length ? recorded : buffered;
  return {
    recordedAs: shared.towlineRecorder?.id() ?? null,
    document: navigation ? timingEntry(navigation) : null,
    entries: entries.map(timingEntry),
    truncated: entries !== recorded && entries.length >= browserKeeps,
  };
};

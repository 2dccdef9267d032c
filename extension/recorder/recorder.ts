/** The content script of the recorder: nothing else runs in pages, and this only where it was asked for. */
import { mayTell, tellBackground } from '../platform/page-link.ts';
import { recordPage, type PageRecorder } from './page-recorder.ts';

// Shared with snapshot.ts, which runs in the same world of the page when the popup asks.
const shared = globalThis as { towlineRecorder?: PageRecorder };

shared.towlineRecorder ??= recordPage({ tell: tellBackground, mayTell });

/** The content script of the recorder: nothing else runs in pages, and this only where it was asked for. */
import { isConnected, isPrivate, tellBackground } from '../platform/page-link.ts';
import { PageRecorder } from './page-recorder.ts';

// Shared with snapshot.ts, which runs in the same world of the page when the popup asks.
const shared = globalThis as { towlineRecorder?: PageRecorder };

if (!isPrivate()) shared.towlineRecorder ??= new PageRecorder({ tell: tellBackground, isConnected });

/**
 * The content script of the recorder: has the browser keep a page's timings beyond its 250, from before the page's own
 * scripts on. It runs in their world and does nothing else: a world of its own would cost the page more than all the
 * rest of the recorder.
 */
import { requestsKept } from '../../shared/messages/requests-kept.ts';

performance.setResourceTimingBufferSize(requestsKept);

/**
 * Most requests that are kept of one page: a page that polls for days does not grow without end. In a file of its own,
 * since the content script needs it and must not carry the schemas' library.
 */
export const requestsKept = 10_000;

/** Entries that a browser keeps by itself: Resource Timing, "resource timing buffer size limit". */
export const browserKeeps = 250;

/** Does what can wait once the page has nothing else to do, within about a second. */
export function whenIdle(work: () => void): void {
  // Safari, in which a report on disk may be opened, has none.
  if ('requestIdleCallback' in globalThis) requestIdleCallback(work, { timeout: 1000 });
  else setTimeout(work, 200);
}

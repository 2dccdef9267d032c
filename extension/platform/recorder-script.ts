import browser from 'webextension-polyfill';

const id = 'recorder';

/** Has the recorder run in pages of these patterns from their next load on, and in no others. */
export async function runRecorderIn(patterns: readonly string[]): Promise<void> {
  const [registered] = await browser.scripting.getRegisteredContentScripts({ ids: [id] });
  if (patterns.length === 0) {
    if (registered) await browser.scripting.unregisterContentScripts({ ids: [id] });
    return;
  }
  const script = {
    id,
    js: ['recorder.js'],
    matches: [...patterns],
    // Before the page's own scripts, or requests beyond the browser's buffer of 250 are missed.
    runAt: 'document_start' as const,
  };
  if (registered) await browser.scripting.updateContentScripts([script]);
  else await browser.scripting.registerContentScripts([script]);
}

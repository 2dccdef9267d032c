import browser from 'webextension-polyfill';

const id = 'recorder';

/** Has the recorder's content script run in pages of these patterns from their next load on, and in no others. */
export async function runRecorderIn(patterns: readonly string[]): Promise<void> {
  const [registered] = await browser.scripting.getRegisteredContentScripts({ ids: [id] });
  if (patterns.length === 0) {
    if (registered) await browser.scripting.unregisterContentScripts({ ids: [id] });
    return;
  }
  const script = {
    id,
    js: ['make-room.js'],
    matches: [...patterns],
    runAt: 'document_start' as const,
    world: 'MAIN' as const,
  };
  if (registered) await browser.scripting.updateContentScripts([script]);
  else await browser.scripting.registerContentScripts([script]);
}

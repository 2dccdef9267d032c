/** Of channels that were answered from a cache. */
export const cacheTopics = ['http-on-examine-cached-response', 'http-on-examine-merged-response'];

/** Whether a request is one of this tab's page, its frames and workers included. */
export function isOf({ loadInfo }: HttpChannel, browser: TabBrowser): boolean {
  const context = loadInfo.targetBrowsingContext ?? loadInfo.workerAssociatedBrowsingContext ?? null;
  return context?.browserId === browser.browserId;
}

/** A field of the response; null where it has none. */
export function headerOf(channel: HttpChannel, name: string): string | null {
  try {
    return channel.getResponseHeader(name);
  } catch {
    // So Firefox says that there is none.
    return null;
  }
}

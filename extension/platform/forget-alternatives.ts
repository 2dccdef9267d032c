import browser from 'webextension-polyfill';

/**
 * Has Chrome forget which hosts offer HTTP/3, and which of these it keeps from trying again: with a proxy in between
 * it takes HTTP/3 for broken there, for five minutes and longer each time. Emptying the cache does that, whatever
 * its age; of the cache itself what is younger than this call goes, which is nothing.
 * Source: BrowsingDataRemoverImpl (ClearNetworkingHistoryBetween) and broken_alternative_services.cc.
 */
export async function forgetAlternatives(): Promise<void> {
  await browser.browsingData.remove({ since: Date.now() }, { cache: true });
}

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PreferenceValue } from '../../shared/arms/firefox-arm-preferences.ts';

/**
 * Preferences of every managed Firefox: what would put packets of its own on the wire, warm anything up, or
 * vary from one process to the next is off. Nothing here touches how the page's own requests are made.
 */
const quietPreferences: Readonly<Record<string, PreferenceValue>> = {
  // No first run, no session, no page but the one asked for.
  'browser.startup.page': 0,
  'browser.startup.homepage': 'about:blank',
  'browser.startup.homepage_override.mstone': 'ignore',
  'startup.homepage_welcome_url': '',
  'startup.homepage_welcome_url.additional': '',
  'browser.aboutwelcome.enabled': false,
  'termsofuse.bypassNotification': true,
  'browser.newtabpage.enabled': false,
  'browser.newtab.preload': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.sessionstore.resume_from_crash': false,
  'toolkit.startup.max_resumed_crashes': -1,
  'datareporting.policy.dataSubmissionPolicyBypassNotification': true,

  // Nothing to its maker.
  'app.normandy.enabled': false,
  'app.update.disabledForTesting': true,
  'browser.contentblocking.report.monitor.enabled': false,
  'browser.discovery.enabled': false,
  'browser.ml.enable': false,
  'browser.newtabpage.activity-stream.feeds.system.topstories': false,
  'browser.newtabpage.activity-stream.feeds.topsites': false,
  'browser.region.network.url': '',
  'browser.region.update.enabled': false,
  'browser.safebrowsing.blockedURIs.enabled': false,
  'browser.safebrowsing.downloads.enabled': false,
  'browser.safebrowsing.malware.enabled': false,
  'browser.safebrowsing.phishing.enabled': false,
  'browser.search.update': false,
  'browser.topsites.contile.enabled': false,
  'browser.translations.enable': false,
  'datareporting.healthreport.uploadEnabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'datareporting.usage.uploadEnabled': false,
  'dom.push.connection.enabled': false,
  'extensions.getAddons.cache.enabled': false,
  'extensions.systemAddon.update.enabled': false,
  'extensions.update.enabled': false,
  'identity.fxaccounts.enabled': false,
  'media.gmp-manager.updateEnabled': false,
  'messaging-system.rsexperimentloader.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,#remote-settings-dummy/v1',
  'toolkit.telemetry.server': '',
  'toolkit.telemetry.unified': false,
  // A profile without the maker's revocation lists would ask the authority's server in mid-handshake, which a
  // person's own profile hardly ever does.
  'security.OCSP.enabled': 0,

  // Nothing ahead of the page's own requests, and nothing beside them: as for Chromium, a page's own
  // `rel=preconnect` hints are not followed either, in any arm.
  'browser.chrome.site_icons': false,
  'browser.places.speculativeConnect.enabled': false,
  'browser.urlbar.speculativeConnect.enabled': false,
  'network.dns.disablePrefetch': true,
  'network.dns.disablePrefetchFromHTTPS': true,
  'network.early-hints.preconnect.enabled': false,
  'network.http.speculative-parallel-limit': 0,
  'network.preconnect': false,
  'network.predictor.enabled': false,
  'network.prefetch-next': false,

  // The page is asked for as it was given, and names are looked up on the path that is measured.
  'dom.security.https_first': false,
  'dom.security.https_first_schemeless': false,
  'network.trr.mode': 5,

  // Marks to the microsecond, not rounded to 1 ms against fingerprinting.
  'privacy.reduceTimerPrecision': false,
  'privacy.reduceTimerPrecision.unconditional': false,
};

/** A server of ours has a certificate of a private authority, over which Firefox does without HTTP/3. */
const trustingPreferences: Readonly<Record<string, PreferenceValue>> = {
  'network.http.http3.disable_when_third_party_roots_found': false,
};

export interface FirefoxPreferenceOptions {
  /** From the arm. */
  armPreferences: Readonly<Record<string, PreferenceValue>>;
  /** True where the profile trusts an authority of ours. */
  trusting: boolean;
}

/** Lays the preferences of a new profile down, before the browser starts. */
export async function writeFirefoxPreferences(
  profileDirectory: string,
  { armPreferences, trusting }: FirefoxPreferenceOptions,
): Promise<void> {
  const preferences = { ...quietPreferences, ...(trusting ? trustingPreferences : {}), ...armPreferences };
  const lines = Object.entries(preferences).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
  );
  await mkdir(profileDirectory, { recursive: true });
  await writeFile(join(profileDirectory, 'user.js'), lines.join(''));
}

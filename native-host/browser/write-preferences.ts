import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Chromium's NetworkPredictionOptions: 2 is never (chrome/browser/preloading/preloading_prefs.h). */
const neverPredict = 2;

/**
 * Lays the preferences of a new profile down, before the browser starts. Network prediction is off, as in
 * Elkhatib et al. 2014: with it the browser opens connections that no request has asked for, whose handshakes
 * then belong to no phase, and on HTTP/1.1 hands out as many of them as it likes. The price: a page's own
 * `rel=preconnect` hints are not followed either, in any arm.
 *
 * Names are asked of the resolver in packets of DNS: with a resolver of a known maker, Chromium would change to
 * DNS over HTTPS by itself, whose connection and time would then be hidden among the page's.
 */
export async function writePreferences(profileDirectory: string): Promise<void> {
  const preferences = { net: { network_prediction_options: neverPredict } };
  await mkdir(join(profileDirectory, 'Default'), { recursive: true });
  await writeFile(join(profileDirectory, 'Default', 'Preferences'), JSON.stringify(preferences));
  // What concerns all profiles of the directory (chrome/browser/net/secure_dns_config.h).
  const localState = { dns_over_https: { mode: 'off', templates: '' } };
  await writeFile(join(profileDirectory, 'Local State'), JSON.stringify(localState));
}

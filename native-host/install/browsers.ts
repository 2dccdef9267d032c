import { join } from 'node:path';
import type { BrowserName } from '../browser/find-browser.ts';
import type { Places } from './places.ts';

/** A browser's own reading of native-messaging manifests. */
export type ManifestDialect = 'chromium' | 'firefox';

/** Where a browser looks for hosts, and where it keeps the profiles that show it has been used. */
export interface BrowserPlaces {
  name: BrowserName;
  /** For a person. */
  title: string;
  dialect: ManifestDialect;
  manifestDirectory: string;
  profileDirectories: readonly string[];
}

/**
 * The browsers that can start the host, for one person.
 *
 * Source: developer.chrome.com "Native messaging"; learn.microsoft.com "Native messaging" for Edge; the profile
 * directories that Brave and Vivaldi document; MDN "Native manifests". Firefox moved its profiles below
 * `~/.config/mozilla` with version 147 but goes on reading manifests from `~/.mozilla` (Mozilla bug 2005167).
 */
export function browserPlaces({ home, config }: Places): BrowserPlaces[] {
  return [
    chromiumFamily('chromium', 'Chromium', join(config, 'chromium')),
    chromiumFamily('chrome', 'Chrome', join(config, 'google-chrome')),
    chromiumFamily('brave', 'Brave', join(config, 'BraveSoftware', 'Brave-Browser')),
    chromiumFamily('vivaldi', 'Vivaldi', join(config, 'vivaldi')),
    chromiumFamily('edge', 'Edge', join(config, 'microsoft-edge')),
    {
      name: 'firefox',
      title: 'Firefox',
      dialect: 'firefox',
      manifestDirectory: join(home, '.mozilla', 'native-messaging-hosts'),
      profileDirectories: [join(home, '.mozilla', 'firefox'), join(config, 'mozilla', 'firefox')],
    },
  ];
}

/** A browser of the Chromium family looks below its user-data directory, also when given another by its flag. */
export function chromiumManifestDirectory(userDataDirectory: string): string {
  return join(userDataDirectory, 'NativeMessagingHosts');
}

function chromiumFamily(name: BrowserName, title: string, userDataDirectory: string): BrowserPlaces {
  return {
    name,
    title,
    dialect: 'chromium',
    manifestDirectory: chromiumManifestDirectory(userDataDirectory),
    profileDirectories: [userDataDirectory],
  };
}

/**
 * The one source of both manifests. Permissions, each for one reason:
 * - nativeMessaging: the measuring host starts browsers and captures packets; an extension can do neither.
 * - activeTab, scripting: on a click, and only then, read which protocol this page's document came over.
 * - storage: settings, and the state of a run while the background sleeps.
 * - alarms: wake the background while a run goes on, should the browser have ended it.
 * No host permissions: Towline reads no page that its person did not ask about. Asked for only as the recorder
 * is switched on, and given back when it is switched off:
 * - the pages to record (optional_host_permissions): timings of requests can be read only from inside a page.
 * - webRequest: the addresses of servers, which nothing else tells. It only observes.
 */

/** Public half of the key that fixes the extension's id (shared/messages/extension-ids.ts). */
const key =
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAm2by4L0i83wCPvZLjYbQITtghP9qqsfzK7GeiyNJcQgChEehlfQz0n1LM29xRPWMVamdPXYRrrtj+awYnwZvmbOPIfYVpP/JEFMoVodc+DjrrVHaPtA/gQDjPVlNTGklJvo6qZeFqaWTWDf7om8gO1UYcQkaltpJdis3mR2d4d6zSx64OfvH01oqd4zGeQi7eb5E1l/SIGC7yOc+g6mXXNcLkIlt2M3HfEKB64CjAzpr1VLCkfo2Ku9GBFlNZl6eULduphPw5pRLYQnLgFKERf7kR/0mFLNrH2RP1EVEM8VTElH5EOvEh/S8cmAWa/LEi9XAjn+yA+ld101wQ0X9NQIDAQAB';

const permissions = ['nativeMessaging', 'activeTab', 'scripting', 'storage', 'alarms'];

const icons = Object.fromEntries([16, 32, 48, 128].map((size) => [size, `icons/icon-${size}.png`]));

/**
 * @param {'chrome' | 'chrome-lab' | 'firefox' | 'firefox-lab'} build
 * @param {string} version the package's version
 * @returns {Record<string, unknown>}
 */
export function manifestFor(build, version) {
  return {
    manifest_version: 3,
    name: '__MSG_extensionName__',
    short_name: 'Towline',
    description: '__MSG_extensionDescription__',
    version,
    default_locale: 'en',
    icons,
    action: { default_popup: 'popup.html', default_title: '__MSG_actionTitle__', default_icon: icons },
    options_ui: { page: 'options.html', open_in_tab: true },
    permissions,
    optional_permissions: ['webRequest'],
    optional_host_permissions: ['http://*/*', 'https://*/*'],
    content_security_policy: {
      extension_pages: "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:",
    },
    ...ofBuild[build],
  };
}

const chromeOnly = {
  key,
  minimum_chrome_version: '126',
  background: { service_worker: 'background.js' },
};

/**
 * With "without HTTP/3", for which Chrome grants what is needed only at installation (proxy is among the permissions
 * that cannot be optional, kFlagCannotBeOptional):
 * - proxy: send the one host that the person has named through the relay of the host on this machine.
 * - webRequest, webRequestAuthProvider, host_permissions: tell that relay its secret, for a request of whatever page.
 * - browsingData: let Chrome try HTTP/3 again afterwards.
 */
const chromeLab = {
  ...chromeOnly,
  permissions: [...permissions, 'proxy', 'webRequest', 'webRequestAuthProvider', 'browsingData'],
  optional_permissions: [],
  host_permissions: ['http://*/*', 'https://*/*'],
  optional_host_permissions: [],
};

const firefoxOnly = {
  background: { scripts: ['background.js'] },
  browser_specific_settings: {
    gecko: {
      id: 'towline@towline.org',
      // 142 is the first release that knows data_collection_permissions everywhere.
      strict_min_version: '142.0',
      // The address of the page to compare is handed to the host, which counts as transmission.
      data_collection_permissions: { required: ['browsingActivity'] },
    },
  },
};

/**
 * With the Experiment that loads a tab in an arm of choice, which only some builds of Firefox allow.
 * mozillaAddons: Firefox asks for it where an extension has an Experiment.
 */
const firefoxLab = {
  ...firefoxOnly,
  permissions: [...permissions, 'mozillaAddons'],
  browser_specific_settings: {
    // The preferences and services that the Experiment uses were tried on this release.
    gecko: { ...firefoxOnly.browser_specific_settings.gecko, strict_min_version: '153.0' },
  },
  experiment_apis: {
    towlineNegotiation: {
      schema: 'negotiation-schema.json',
      parent: {
        scopes: ['addon_parent'],
        script: 'negotiation-api.js',
        paths: [['towlineNegotiation']],
      },
    },
  },
};

const ofBuild = {
  chrome: chromeOnly,
  'chrome-lab': chromeLab,
  firefox: firefoxOnly,
  'firefox-lab': firefoxLab,
};

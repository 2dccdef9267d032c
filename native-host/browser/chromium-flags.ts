/**
 * Flags of every managed Chromium: what would put packets of its own on the wire, warm anything up, or vary
 * from one process to the next is off. Nothing here touches how the page's own requests are made.
 */
export const quietFlags: readonly string[] = [
  '--no-first-run',
  '--no-default-browser-check',
  '--no-service-autorun',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-component-extensions-with-background-pages',
  '--disable-default-apps',
  '--disable-sync',
  '--disable-domain-reliability',
  '--disable-client-side-phishing-detection',
  '--disable-field-trial-config',
  '--disable-breakpad',
  '--metrics-recording-only',
  '--no-pings',
  '--dns-prefetch-disable',
  '--password-store=basic',
  '--use-mock-keychain',
  '--disable-search-engine-choice-screen',
  // Predictors and prefetchers would open connections the page did not ask for.
  [
    '--disable-features=OptimizationHints',
    'MediaRouter',
    'Translate',
    'InterestFeedContentSuggestions',
    'CertificateTransparencyComponentUpdater',
    'AutofillServerCommunication',
    'NetworkTimeServiceQuerying',
    'LoadingPredictorUseOptimizationGuide',
    'PreconnectToSearch',
    'DialMediaRouteProvider',
  ].join(','),
  // A trial is timed: nothing may be slowed down because its window is not in front.
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--disable-hang-monitor',
  '--disable-dev-shm-usage',
];

export interface ChromiumFlagOptions {
  /** Empty directory for this trial alone. */
  profileDirectory: string;
  headless: boolean;
  /** From {@link chromiumArmFlags}. */
  armFlags: readonly string[];
  /** Where the browser writes its TLS key log; null for none. */
  keyLogFile: string | null;
  /** Base64 SHA-256 of a lab server's public key, trusted in this profile only; null for none. */
  trustedKeyHash: string | null;
  /** True only where Chromium runs as the real root, which refuses to start with its sandbox. */
  withoutSandbox: boolean;
  /** True where an extension is to be loaded into it; a trial has none. */
  extensions: boolean;
}

/** The whole argument array of a managed Chromium, without the program's name. */
export function chromiumFlags(options: ChromiumFlagOptions): string[] {
  return [
    ...quietFlags,
    // Chrome itself takes an unpacked extension only over the debugging pipe, and only with this.
    options.extensions ? '--enable-unsafe-extension-debugging' : '--disable-extensions',
    ...(options.headless ? ['--headless=new', '--hide-scrollbars', '--mute-audio'] : []),
    ...options.armFlags,
    ...(options.keyLogFile === null ? [] : [`--ssl-key-log-file=${options.keyLogFile}`]),
    ...(options.trustedKeyHash === null
      ? []
      : [`--ignore-certificate-errors-spki-list=${options.trustedKeyHash}`]),
    ...(options.withoutSandbox ? ['--no-sandbox'] : []),
    `--user-data-dir=${options.profileDirectory}`,
    'about:blank',
  ];
}

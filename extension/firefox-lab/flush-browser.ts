const { setTimeout } = ChromeUtils.importESModule('resource://gre/modules/Timer.sys.mjs');

/** Sockets are closed by another thread, which says nothing when it is done. */
const settleMs = 500;

/**
 * Makes the browser forget what would warm a load up: open connections, Alt-Svc, names, TLS sessions, and the
 * caches of responses, pictures, style sheets and scripts. This is for the whole profile; cookies, logins,
 * history and running downloads are not touched.
 */
export async function flushBrowser(): Promise<void> {
  forgetConnections();
  Services.dns.clearCache(true);
  const service = Ci.nsIClearDataService;
  await new Promise<void>((resolve) => {
    const flags =
      service.CLEAR_NETWORK_CACHE |
      service.CLEAR_IMAGE_CACHE |
      service.CLEAR_CSS_CACHE |
      service.CLEAR_JS_CACHE |
      service.CLEAR_PREFLIGHT_CACHE |
      service.CLEAR_TLS_TOKEN_CACHE;
    Services.clearData.deleteData(flags, {
      onDataDeleted: () => {
        resolve();
      },
    });
  });
  await new Promise<void>((resolve) => {
    setTimeout(resolve, settleMs);
  });
}

/**
 * Closes idle connections, keeps busy ones from being used again, and forgets Alt-Svc and where HTTP/3 failed.
 * These are told to the HTTP handler alone: `browser:purge-session-history`, sent to all, would also take the
 * person's history and closed tabs.
 */
export function forgetConnections(): void {
  const http = Cc['@mozilla.org/network/protocol;1?name=http']?.getService(Ci.nsIObserver) as {
    observe(subject: null, topic: string, data: null): void;
  };
  for (const topic of [
    'net:prune-all-connections',
    'browser:purge-session-history',
    'network:reset-http3-excluded-list',
  ]) {
    http.observe(null, topic, null);
  }
}

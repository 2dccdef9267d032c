import type { HttpExchange } from './http/http-exchange.ts';

/**
 * What the browser says belongs to the page. Null where nobody said: then every flow that carries requests is
 * the page's, but for the browser's own.
 */
export interface PageDescription {
  /** Every request of the page, redirects and frames included, as the browser tells their addresses. */
  readonly requests:
    | readonly {
        readonly url: string;
        /** When the browser wanted it, ms since 1970, if it says so: tells waits before sending apart. */
        readonly wantedAtMs?: number;
      }[]
    | null;
  /** Host names of these requests, without ports. */
  readonly hosts: readonly string[] | null;
  /**
   * The browser's own ends of the connections that carried them, where it tells: then a flow that keys do not open is
   * the page's by its port too, and not another tab's to the same host.
   */
  readonly clientPorts?: readonly number[] | null;
}

/** What browsers ask for by themselves, whatever the page. */
const ownPath = /^\/favicon\.ico($|\?)/;

/**
 * Hosts that browsers of Google and Mozilla talk to by themselves: updates, safe browsing, remote settings,
 * captive-portal checks.
 */
const ownHosts =
  /(^|\.)(update\.googleapis\.com|safebrowsing\.googleapis\.com|safebrowsingohttpgateway\.googleapis\.com|optimizationguide-pa\.googleapis\.com|content-autofill\.googleapis\.com|clients\d?\.google\.com|clientservices\.googleapis\.com|edgedl\.me\.gvt1\.com|services\.mozilla\.com|detectportal\.firefox\.com|push\.services\.mozilla\.com|cdn\.mozilla\.net)$/;

/** Tells the page's requests and hosts from others. */
export class Page {
  readonly #wantedAtMs: ReadonlyMap<string, number | null> | null;
  readonly #hosts: ReadonlySet<string> | null;
  readonly #clientPorts: ReadonlySet<number> | null;

  constructor({ requests, hosts, clientPorts = null }: PageDescription) {
    this.#wantedAtMs =
      requests === null
        ? null
        : new Map(requests.map(({ url, wantedAtMs }) => [canonicalUrl(url), wantedAtMs ?? null]));
    this.#hosts = hosts === null ? null : new Set(hosts.map((host) => host.toLowerCase()));
    this.#clientPorts = clientPorts === null ? null : new Set(clientPorts);
  }

  /**
   * Whether a connection that keys do not open may be the page's: by its host, and where the browser has told its own
   * ends of the connections, by these, which also know one whose host the packets do not tell (null).
   */
  hasConnection(sni: string | null, clientPort: number): boolean {
    if (this.#clientPorts === null) return this.hasHost(sni);
    return this.#clientPorts.has(clientPort) && (sni === null || this.hasHost(sni));
  }

  /**
   * With the browser's list: whether it names the request. What the list cannot name, since its address could
   * not be read or it is a preflight (Fetch section 3.2), goes by its host.
   */
  hasRequest(exchange: HttpExchange, scheme: 'http' | 'https', sni: string | null): boolean {
    const url = urlOf(exchange, scheme);
    const host = exchange.authority === null ? sni : hostOf(exchange.authority);
    if (this.#wantedAtMs === null) {
      return this.hasHost(host) && !ownPath.test(exchange.path ?? '');
    }
    if (url !== null && this.#wantedAtMs.has(url)) return true;
    return (url === null || exchange.method === 'OPTIONS') && this.#hosts !== null && this.hasHost(host);
  }

  /** When the browser wanted a request; null when it did not say. */
  wantedAtMs(exchange: HttpExchange, scheme: 'http' | 'https'): number | null {
    const url = urlOf(exchange, scheme);
    return url === null ? null : (this.#wantedAtMs?.get(url) ?? null);
  }

  /** Whether requests to this host may be the page's. Null is a host that the packets do not tell. */
  hasHost(host: string | null): boolean {
    if (host !== null && ownHosts.test(host)) return false;
    if (this.#hosts === null) return true;
    return host !== null && this.#hosts.has(host.toLowerCase());
  }
}

/** The address of a request as a browser writes it; null when a part of it is not known. */
export function urlOf(exchange: HttpExchange, scheme: 'http' | 'https'): string | null {
  const { authority, path } = exchange;
  if (authority === null || path === null) return null;
  // The absolute form (RFC 9112 section 3.2.2) brings its own scheme and host.
  if (!path.startsWith('/')) return canonicalUrl(path);
  return canonicalUrl(`${exchange.scheme ?? scheme}://${authority}${path}`);
}

/** Without a fragment, which is never sent, and with host and port as the URL standard writes them. */
function canonicalUrl(url: string): string {
  if (!URL.canParse(url)) return url;
  const parsed = new URL(url);
  parsed.hash = '';
  return parsed.href;
}

function hostOf(authority: string): string {
  return authority.replace(/:\d+$/, '');
}

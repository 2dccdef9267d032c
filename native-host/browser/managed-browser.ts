import type { Har } from 'har-format';
import type { TowlineError } from '../../shared/errors/towline-error.ts';
import type { Arm } from '../../shared/record/arm.ts';
import type { Navigation, Resource } from '../../shared/record/trial.ts';

/** One browser for one trial, as it is asked for. */
export interface BrowserRequest {
  executable: string;
  /** Put in front of the executable: an `unshare` that gives an ordinary uid where a namespace made us root. */
  wrapper: readonly string[];
  headless: boolean;
  /** True only where the browser runs as the real root, which Chromium's sandbox refuses. */
  withoutSandbox: boolean;
  /** A private authority to trust, in this browser alone; null for none. */
  trusted: TrustedAuthority | null;
  arm: Arm;
  /** `host:port` of the origins that the h3 arm sends over QUIC from the first packet. */
  http3Origins: readonly string[];
  /** For the profile of this browser alone; need not exist. */
  profileDirectory: string;
  /** Where the browser writes its TLS key log. */
  keyLogFile: string;
  /** The command that lets a sandbox start, where something is known to keep it from that. */
  sandboxRemedy: string | null;
}

/** How to trust a server of ours: Chromium goes by the server's key, Firefox by the authority. */
export interface TrustedAuthority {
  /** Base64 SHA-256 of the server's public key. */
  keyHash: string;
  /** PEM file of the authority's certificate. */
  certificateFile: string;
}

/** A browser that loads one page, the same to its user whichever browser it is. */
export interface ManagedBrowser {
  readonly version: string;
  /**
   * Does at the last moment what may not be done earlier; the load is to follow at once. Nothing, in a browser that was
   * started for the trial. @throws TowlineError where it cannot be made ready
   */
  makeReady(): Promise<void>;
  /** Loads the page. @returns why it did not load; null when its load event fired */
  load(url: string, timeoutMs: number): Promise<TowlineError | null>;
  /** Navigation Timing of the page just loaded; null where the browser lets nobody ask for it. */
  navigation(): Promise<Navigation | null>;
  /**
   * What the browser says of the requests it made, once all is over.
   * @param quietForMs how long nothing has moved by another source, ms, if the page's quiet is to be waited for; null
   *   after a load that failed
   */
  settle(quietForMs: (() => number) | null): Promise<NetworkAccount>;
  /** Ends the browser and everything it started. Never throws. */
  kill(): void;
}

/** The browser's own account of the requests it made, from its start on. */
export interface NetworkAccount {
  /**
   * Every request, in the order they started; redirects are requests of their own.
   * @param timeOriginEpochMs Navigation Timing's time origin: `startedAtMs` counts from it
   */
  resources(timeOriginEpochMs: number): Resource[];
  /** The last `Alt-Svc` header of every https origin that sent one, by origin. */
  altSvc(): Record<string, string>;
  /** The browser's ends of the page's connections; null where the browser does not tell, or its keys tell more. */
  readonly clientPorts: readonly number[] | null;
  /** The load as HAR 1.2; null where the browser does not tell enough. */
  har(): Har | null;
}

import type { Har } from 'har-format';
import type { Page } from 'puppeteer-core';
import type { Arm } from '../../shared/record/arm.ts';
import type { Resource } from '../../shared/record/trial.ts';

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

/** A browser with one blank page, the same to its user whichever browser it is. */
export interface ManagedBrowser {
  readonly page: Page;
  readonly version: string;
  readonly account: NetworkAccount;
  /** Ends the browser and everything it started. Never throws. */
  kill(): void;
}

/** The browser's own account of the requests it made, from its start on. */
export interface NetworkAccount {
  /** How long no request has been open, ms; 0 while one is. */
  quietForMs(): number;
  /**
   * Every request, in the order they started; redirects are requests of their own.
   * @param timeOriginEpochMs Navigation Timing's time origin: `startedAtMs` counts from it
   */
  resources(timeOriginEpochMs: number): Resource[];
  /** The last `Alt-Svc` header of every https origin that sent one, by origin. */
  altSvc(): Record<string, string>;
  /** The load as HAR 1.2. */
  har(): Har;
}

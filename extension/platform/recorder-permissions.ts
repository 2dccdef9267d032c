import browser from 'webextension-polyfill';
import type { RecorderSettings } from './recorder-settings.ts';

const everywhere = ['http://*/*', 'https://*/*'];

/** The pages that the recorder is wanted on, as match patterns; none when it is off. */
export function patternsOf({ scope, sites }: Pick<RecorderSettings, 'scope' | 'sites'>): string[] {
  if (scope === 'off') return [];
  if (scope === 'all') return everywhere;
  // Not `*://`: Chrome grants only what one pattern of the manifest holds by itself.
  return sites.flatMap((site) => [`http://${site}/*`, `https://${site}/*`]);
}

/** Asks for the right to read these pages. Only within a click. @returns whether the person agreed */
export function requestPages(wanted: Pick<RecorderSettings, 'scope' | 'sites'>): Promise<boolean> {
  return browser.permissions.request({ origins: patternsOf(wanted) });
}

/** Asks for the right to see servers' addresses. Only within a click. @returns whether the person agreed */
export function requestAddresses(): Promise<boolean> {
  return browser.permissions.request({ permissions: ['webRequest'] });
}

/**
 * Whether the person may be asked for servers' addresses. The lab build of Chrome has their right since its
 * installation, but for answering the relay: the recorder leaves them alone there.
 */
export function mayAskForAddresses(): boolean {
  return !browser.runtime.getManifest().permissions?.includes('webRequestAuthProvider');
}

export function mayReadAddresses(): Promise<boolean> {
  return browser.permissions.contains({ permissions: ['webRequest'] });
}

export async function giveBackAddresses(): Promise<void> {
  await browser.permissions.remove({ permissions: ['webRequest'] });
}

/** Those of the patterns that the browser allows. */
export async function allowedOf(patterns: readonly string[]): Promise<string[]> {
  const allowed = await Promise.all(
    patterns.map((pattern) => browser.permissions.contains({ origins: [pattern] })),
  );
  return patterns.filter((_, index) => allowed[index]);
}

/** Gives back the right to every page that is not wanted any more. */
export async function giveBackAllBut(wanted: readonly string[]): Promise<void> {
  const { origins = [] } = await browser.permissions.getAll();
  const { host_permissions: required = [] } = browser.runtime.getManifest() as {
    host_permissions?: string[];
  };
  const surplus = origins.filter((origin) => !wanted.includes(origin) && !required.includes(origin));
  if (surplus.length > 0) await browser.permissions.remove({ origins: surplus });
}

export function onPermissionsChange(listener: () => void): void {
  browser.permissions.onAdded.addListener(listener);
  browser.permissions.onRemoved.addListener(listener);
}

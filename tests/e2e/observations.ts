import type { Page } from 'puppeteer-core';
import type { Observation } from '../../shared/record/observation.ts';
import type { ThreeOrigins } from '../support/three-origins.ts';

/** All that the recorder has stored, newest first, read in a page of the extension. */
export function stored(extensionPage: Page): Promise<Observation[]> {
  return extensionPage.evaluate(
    () =>
      new Promise<Observation[]>((resolve, reject) => {
        const opening = indexedDB.open('towline-observations');
        opening.onerror = () => {
          reject(new Error(String(opening.error)));
        };
        opening.onsuccess = () => {
          const all = opening.result
            .transaction('observations')
            .objectStore('observations')
            .index('age')
            .getAll();
          all.onsuccess = () => {
            opening.result.close();
            const rows = all.result as { observation: Observation }[];
            resolve(rows.map(({ observation }) => observation).reverse());
          };
        };
      }),
  );
}

/** Erases all of it, without the recorder's knowing. */
export async function erase(extensionPage: Page): Promise<void> {
  await extensionPage.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('towline-observations');
        opening.onerror = () => {
          reject(new Error(String(opening.error)));
        };
        opening.onsuccess = () => {
          const clearing = opening.result.transaction('observations', 'readwrite');
          clearing.objectStore('observations').clear();
          clearing.oncomplete = () => {
            opening.result.close();
            resolve();
          };
        };
      }),
  );
}

/** Waits until it is as wanted; says what it is instead when it never becomes so. */
export async function storedAs(
  extensionPage: Page,
  wanted: (observations: Observation[]) => boolean,
): Promise<Observation[]> {
  for (const end = Date.now() + 60_000; ;) {
    const observations = await stored(extensionPage);
    if (wanted(observations)) return observations;
    if (Date.now() > end) {
      const seen = observations.map(({ url, kind, requests }) => `${url} ${kind}: ${requests.length}`);
      throw new Error(`Stored is only:\n${seen.join('\n')}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Whether the host has said what packets say of a load. */
export function hasBeenTold(observation: Observation | undefined): boolean {
  return observation?.wire !== undefined && observation.wire.missing !== 'unanswered';
}

/** As if pages had used these servers before: a port is watched only once it is known. */
export async function knowPorts(extensionPage: Page, { own, open, hidden }: ThreeOrigins): Promise<void> {
  const ports = [own, open, hidden].map(({ origin }) => Number(new URL(origin).port));
  await extensionPage.evaluate(
    `(globalThis.browser ?? chrome).storage.session.set({ 'watched-ports': ${JSON.stringify(ports)} })`,
  );
}

import type { Page } from 'puppeteer-core';
import type { Observation } from '../../shared/record/observation.ts';

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

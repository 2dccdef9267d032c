/**
 * The pages of Elkhatib, Tyson and Welzl, "Can SPDY really make the web faster?" (IFIP Networking 2014), table 1, by
 * number and mean size of their resources; a KB is 1000 bytes. Every resource here has exactly that size, and the
 * document is one of them, so that a page's bytes are `resources * resourceBytes` for every protocol.
 */
export const pageModels = {
  twitter: { resources: 7, resourceBytes: 46_400, styles: 1, scripts: 2 },
  youtube: { resources: 50, resourceBytes: 10_630, styles: 2, scripts: 5 },
  imgur: { resources: 133, resourceBytes: 11_780, styles: 2, scripts: 6 },
} as const satisfies Record<string, PageModel>;

export interface PageModel {
  /** Everything the page is made of, the document too. What is neither document, style nor script is an image. */
  resources: number;
  resourceBytes: number;
  styles: number;
  scripts: number;
}

export type PageName = keyof typeof pageModels;

export const pageNames = Object.keys(pageModels) as [PageName, ...PageName[]];

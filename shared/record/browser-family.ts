import * as v from 'valibot';

/** Browsers that are started, driven and read in one way: Chromium stands for its whole family. */
export const BrowserFamilySchema = v.picklist(['chromium', 'firefox']);
export type BrowserFamily = v.InferOutput<typeof BrowserFamilySchema>;

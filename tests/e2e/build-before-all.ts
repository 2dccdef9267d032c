import { buildExtension } from './extension-browser.ts';

/** Once for all files of these tests, so that none meets a build of older sources. */
export default async function setup(): Promise<void> {
  await buildExtension();
}

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildPage } from './build-page.ts';
import type { PageName } from './page-models.ts';

/**
 * Writes pages below a directory that all of the lab's servers serve.
 * @param hosts host, or host:port, of each server, the document's first
 * @returns sum of the bodies, bytes
 */
export async function writeSite(
  root: string,
  pages: readonly PageName[],
  hosts: readonly string[],
): Promise<number> {
  let bytes = 0;
  for (const page of pages) {
    const directory = join(root, page);
    await mkdir(directory, { recursive: true });
    const servers = hosts.map((host, index) => (index === 0 ? '' : `//${host}/${page}/`));
    const files = buildPage(page, servers);
    await Promise.all(files.map(({ name, body }) => writeFile(join(directory, name), body)));
    bytes += files.reduce((sum, { body }) => sum + body.length, 0);
  }
  return bytes;
}

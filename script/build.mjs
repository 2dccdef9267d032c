/**
 * Builds everything into dist/: the command and the native host (Node), and the extension (Chrome, Firefox).
 * Usage: node script/build.mjs
 */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { build } from 'esbuild';

const root = new URL('..', import.meta.url).pathname;
const nodeEntries = [
  'cli',
  'main',
  'engine',
  'guardian',
  'trial-worker',
  'probe-worker',
  'network-check-worker',
]
  .map((name) => `${root}native-host/${name}.ts`)
  .filter((path) => existsSync(path));

await rm(`${root}dist/native-host`, { recursive: true, force: true });
await build({
  entryPoints: nodeEntries,
  outdir: `${root}dist/native-host`,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  splitting: true,
  sourcemap: true,
  // Native addon and packages that find files beside themselves stay in node_modules.
  packages: 'external',
  logLevel: 'warning',
});
if (existsSync(`${root}extension/build.mjs`)) {
  const { buildExtension } = await import('../extension/build.mjs');
  await buildExtension(root);
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The version in package.json, which stands two levels above the bundled files in dist/native-host. */
export const towlineVersion: string = (
  JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as { version: string }
).version;

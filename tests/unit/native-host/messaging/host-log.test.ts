import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HostLog } from '../../../../native-host/messaging/host-log.ts';
import { temporaryRoot } from '../runs/temporary-root.ts';

test('a log does not grow without bound, and is for its owner only', () => {
  const directory = join(temporaryRoot(), 'state');
  const log = new HostLog(join(directory, 'host.log'), 1000);
  for (let i = 0; i < 200; i++) log.write('a line\nof two');
  expect(readdirSync(directory).sort()).toEqual(['host.log', 'host.log.1']);
  for (const name of readdirSync(directory)) {
    const { size, mode } = statSync(join(directory, name));
    expect(size).toBeLessThan(1200);
    expect(mode & 0o777).toBe(0o600);
  }
});

test('a log that cannot be written does no harm', () => {
  const file = join(temporaryRoot(), 'file');
  writeFileSync(file, '');
  new HostLog(join(file, 'host.log')).write('a line');
});

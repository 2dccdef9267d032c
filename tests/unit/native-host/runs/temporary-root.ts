import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A directory of the running test, gone when the test has ended. */
export function temporaryRoot(): string {
  const root = mkdtempSync(join(tmpdir(), 'towline-test-'));
  onTestFinished(() => {
    rmSync(root, { recursive: true, force: true });
  });
  return root;
}

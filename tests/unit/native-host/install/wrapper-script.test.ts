import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { wrapperScript } from '../../../../native-host/install/wrapper-script.ts';
import { temporaryRoot } from '../runs/temporary-root.ts';

test('the wrapper starts a program of any name with any argument, and is replaced by it', () => {
  const directory = join(temporaryRoot(), `it's a "$(dir)" \\ \``);
  mkdirSync(directory);
  const program = join(directory, 'echo args.sh');
  writeFileSync(program, '#!/bin/sh\nfor a in "$@"; do echo "$a"; done\necho $$\n');
  const shell = join(directory, 'sh');
  copyFileSync('/bin/sh', shell);
  const wrapper = join(directory, 'wrapper');
  writeFileSync(wrapper, wrapperScript(shell, program));
  for (const file of [program, shell, wrapper]) chmodSync(file, 0o755);

  // A shell that prints its pid and then becomes the wrapper: the same pid at the end shows that nothing forked.
  const said = execFileSync('sh', ['-c', 'echo $$; exec "$@"', 'sh', wrapper, 'a b', '$HOME', '']).toString();
  const [ownPid, ...rest] = said.split('\n');
  expect(rest).toEqual(['a b', '$HOME', '', ownPid, '']);
});

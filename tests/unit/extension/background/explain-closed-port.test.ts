import { expect, it } from 'vitest';
import { explainClosedPort } from '../../../../extension/background/explain-closed-port.ts';

// The sentences are those of Chromium 156 and Firefox 153.
it.each([
  ['Specified native messaging host not found.', 'bin/towline install'],
  ['Access to the specified native messaging host is forbidden.', 'bin/towline install'],
  ['No such native application org.towline.host', 'bin/towline install'],
  ['Native host has exited.', 'bin/towline doctor'],
  ['Failed to start native messaging host.', 'bin/towline doctor'],
  ['Error when communicating with the native messaging host.', 'bin/towline doctor'],
  [null, 'bin/towline doctor'],
])('names the command that mends "%s"', (reason, command) => {
  expect(explainClosedPort(reason).remedy).toBe(command);
});

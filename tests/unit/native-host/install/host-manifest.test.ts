import { expect, test } from 'vitest';
import { hostManifest, readHostManifest } from '../../../../native-host/install/host-manifest.ts';

// developer.chrome.com "Native messaging" and MDN "Native manifests" both demand name, description, an absolute
// path and type "stdio"; Chrome wants allowed_origins with a slash at the end, Firefox allowed_extensions.
test('the manifest of Chromium allows one origin', () => {
  expect(JSON.parse(hostManifest('chromium', '/w'))).toEqual({
    name: 'org.towline.host',
    description: expect.any(String) as string,
    path: '/w',
    type: 'stdio',
    allowed_origins: [expect.stringMatching(/^chrome-extension:\/\/[a-p]{32}\/$/) as string],
  });
});

test('the manifest of Firefox allows one extension', () => {
  expect(JSON.parse(hostManifest('firefox', '/w'))).toEqual({
    name: 'org.towline.host',
    description: expect.any(String) as string,
    path: '/w',
    type: 'stdio',
    allowed_extensions: [expect.stringContaining('@') as string],
  });
});

test.each(['chromium', 'firefox'] as const)('a browser reads its own manifest, of %s', (dialect) => {
  expect(readHostManifest(dialect, hostManifest(dialect, '/w'))).toEqual({ wrapperPath: '/w' });
});

test.each([
  ['nonsense', /not JSON/],
  ['{}', /"name"/],
  [hostManifest('firefox', '/w'), /another version/],
  [hostManifest('chromium', '/w').replace('"stdio"', '"socket"'), /"type"/],
])('a manifest that Chromium would not take is told: %s', (text, fault) => {
  expect(readHostManifest('chromium', text)).toEqual({ fault: expect.stringMatching(fault) as string });
});

import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { chromeExtensionId, firefoxExtensionId } from '../../../shared/messages/extension-ids.ts';

interface Manifest {
  key?: string;
  permissions: string[];
  background: object;
  browser_specific_settings?: { gecko: { id: string; strict_min_version: string } };
}

// The build is plain JavaScript, which Node runs without a step before it.
const { manifestFor } = (await import(
  fileURLToPath(new URL('../../../extension/manifest.mjs', import.meta.url))
)) as { manifestFor: (build: 'chrome' | 'chrome-lab' | 'firefox', version: string) => Manifest };

const [chrome, firefox] = [manifestFor('chrome', '1.2.3'), manifestFor('firefox', '1.2.3')];

it("gives Chrome the id that the host's manifests allow", () => {
  // Chrome's rule: the first 16 bytes of the key's SHA-256, each half byte as a letter from a to p.
  const digest = createHash('sha256')
    .update(Buffer.from(chrome.key ?? '', 'base64'))
    .digest('hex');
  const id = digest.slice(0, 32).replace(/./g, (digit) => 'abcdefghijklmnop'.charAt(parseInt(digit, 16)));
  expect(id).toBe(chromeExtensionId);
});

it("gives Firefox the id that the host's manifests allow", () => {
  expect(firefox.browser_specific_settings?.gecko.id).toBe(firefoxExtensionId);
});

it('asks for no host and for nothing that reads pages unasked', () => {
  for (const manifest of [chrome, firefox]) {
    expect(manifest).not.toHaveProperty('host_permissions');
    expect(manifest).not.toHaveProperty('content_scripts');
    expect(manifest.permissions).toEqual(['nativeMessaging', 'activeTab', 'scripting', 'storage', 'alarms']);
  }
});

it('asks for the proxy in the lab build of Chrome alone, and there for nothing twice', () => {
  const lab = manifestFor('chrome-lab', '1.2.3');
  expect(lab).toMatchObject({
    key: chrome.key,
    permissions: [...chrome.permissions, 'proxy', 'webRequest', 'webRequestAuthProvider', 'browsingData'],
    optional_permissions: [],
    host_permissions: ['http://*/*', 'https://*/*'],
    optional_host_permissions: [],
  });
  expect(JSON.stringify([chrome, firefox])).not.toMatch(/"proxy"|AuthProvider/);
});

it('gives each browser its own kind of background, and only that', () => {
  expect(chrome.background).toEqual({ service_worker: 'background.js' });
  expect(firefox.background).toEqual({ scripts: ['background.js'] });
});

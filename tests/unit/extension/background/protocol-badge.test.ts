import { expect, it } from 'vitest';
import { protocolBadge } from '../../../../extension/background/protocol-badge.ts';

// Names of IANA's registry of ALPN identifiers, and a draft of HTTP/3 that servers still speak.
it.each([
  ['http/1.1', 'h1'],
  ['http/1.0', 'h1'],
  ['h2', 'h2'],
  ['h2c', 'h2'],
  ['h3', 'h3'],
  ['h3-29', 'h3'],
  [null, ''],
])('writes %s as "%s"', (protocol, text) => {
  expect(protocolBadge(protocol)).toBe(text);
});

import { expect, it } from 'vitest';
import { decodePacketNumber } from '../../../../../native-host/wire/quic/packet-number.ts';

it.each([
  // RFC 9000 appendix A.3: the highest packet had number 0xa82f30ea, and 0x9b32 arrives.
  { largest: 0xa82f30ea, truncated: 0x9b32, bytes: 2, whole: 0xa82f9b32 },
  { largest: -1, truncated: 0, bytes: 1, whole: 0 },
  { largest: 255, truncated: 0, bytes: 1, whole: 256 },
  { largest: 256, truncated: 255, bytes: 1, whole: 255 },
  { largest: 2 ** 40, truncated: 1, bytes: 4, whole: 2 ** 40 + 1 },
])('reads $truncated in $bytes bytes after $largest as $whole', ({ largest, truncated, bytes, whole }) => {
  expect(decodePacketNumber(largest, truncated, bytes)).toBe(whole);
});

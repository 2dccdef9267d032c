import { expect, it } from 'vitest';
import { TlsTimeline } from '../../../../../native-host/wire/keyless/tls-timeline.ts';
import { HandshakeFacts } from '../../../../../native-host/wire/tls/handshake-facts.ts';

/** Content type and tag, RFC 8446 section 5.2. */
const sealedBytes = 17;

function http2(): {
  timeline: TlsTimeline;
  record: (direction: 'up' | 'down', textBytes: number, atMs: number) => void;
} {
  const facts = new HandshakeFacts();
  facts.tlsVersion = '1.3';
  facts.alpnOffered = ['h2', 'http/1.1'];
  const timeline = new TlsTimeline(facts);
  const span = (atMs: number): { firstAtMs: number; lastAtMs: number; deliveredAtMs: number } => ({
    ...{ firstAtMs: atMs, lastAtMs: atMs, deliveredAtMs: atMs },
  });
  timeline.record('down', 22, 90, span(0));
  // The client's Finished.
  timeline.record('up', 23, 53, span(1));
  return {
    timeline,
    record: (direction, textBytes, atMs) => {
      timeline.record(direction, 23, textBytes + sealedBytes, span(atMs));
    },
  };
}

// As Caddy 2.6.2 answered Firefox: the ends of streams come by themselves, of two in one record of 18 bytes.
it.each([9, 18, 27])(
  'takes %i bytes at the end for the ends of streams, which are frames of 9 bytes',
  (textBytes) => {
    const { timeline, record } = http2();
    record('up', 70, 2);
    record('up', 292, 3);
    record('down', 4000, 20);
    record('down', textBytes, 21);
    expect(timeline.lastResponse?.atMs).toBe(21);
  },
);

it.each([
  ['WINDOW_UPDATE', 13],
  ['PING', 17],
  ['two WINDOW_UPDATEs', 26],
])('does not take %s for a response', (_name, textBytes) => {
  const { timeline, record } = http2();
  record('up', 70, 2);
  record('up', 292, 3);
  record('down', 4000, 20);
  record('down', textBytes, 21);
  expect(timeline.lastResponse).toMatchObject({ atMs: 20, latestMs: 21 });
});

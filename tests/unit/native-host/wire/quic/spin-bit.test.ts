import { describe, expect, it } from 'vitest';
import { SpinBit } from '../../../../../native-host/wire/quic/spin-bit.ts';
import { seededGenerator } from '../../../../../shared/stats/seeded-generator.ts';

const spinBit = 0x20;
const shortHeader = 0x40;

interface Spinning {
  readonly client?: (heard: number) => number;
  readonly server?: (heard: number) => number;
}

/**
 * Both ends send a packet each ms over a path of 15 ms each way, and set the bit as RFC 9000 section 17.4 says: the
 * server to what it last heard, the client to the opposite.
 */
function observed({ client = (heard) => 1 - heard, server = (heard) => heard }: Spinning = {}): SpinBit {
  const observer = new SpinBit();
  const oneWayMs = 15;
  const sentUp: number[] = [];
  const sentDown: number[] = [];
  for (let ms = 0; ms < 500; ms += 1) {
    const heardByClient = ms >= oneWayMs ? (sentDown[ms - oneWayMs] ?? 0) : 0;
    const heardByServer = ms >= oneWayMs ? (sentUp[ms - oneWayMs] ?? 0) : 0;
    // Before it has heard anything, the client sends 0.
    sentUp.push(ms < oneWayMs ? 0 : client(heardByClient));
    sentDown.push(server(heardByServer));
    // The observer sits beside the client.
    if (ms >= oneWayMs) observer.packet('down', shortHeader | (heardByClient * spinBit), ms);
    observer.packet('up', shortHeader | ((sentUp[ms] ?? 0) * spinBit), ms);
  }
  return observer;
}

describe('the spin bit', () => {
  it('tells the round trip', () => {
    const summary = observed().takeSummary(30);
    expect(summary?.minMs).toBe(30);
    expect(summary?.maxMs).toBe(30);
    expect(summary?.samples).toBeGreaterThan(10);
  });

  it.each<[string, Spinning]>([
    ['never turns', { client: () => 0, server: () => 0 }],
    ['is not reflected', { server: () => 0 }],
  ])('tells nothing when it %s', (_name, spinning) => {
    expect(observed(spinning).takeSummary(30)).toBeNull();
  });

  it('tells nothing when it is random in each packet', () => {
    const random = seededGenerator(3);
    const chance = (): number => (random() < 0.5 ? 0 : 1);
    expect(observed({ client: chance, server: chance }).takeSummary(30)).toBeNull();
  });
});

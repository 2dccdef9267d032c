import { describe, expect, it } from 'vitest';
import type { HttpExchange } from '../../../../native-host/wire/http/http-exchange.ts';
import { waitsOf, type WaitingConnection } from '../../../../native-host/wire/waits.ts';

/** A connection opened at 0, ready at 30, with a round trip of 20 ms. */
const connection: WaitingConnection = {
  openedAtMs: 0,
  readyAtMs: 30,
  rttMs: 20,
  oneAtATime: false,
  holesPerStream: false,
};

interface Told {
  streamId: number;
  sentAtMs: number;
  /** Arrival and delivery of each packet of the response, ms. */
  packets: readonly (readonly [arrivedAtMs: number, deliveredAtMs?: number])[];
}

function exchange({ streamId, sentAtMs, packets }: Told): HttpExchange {
  const segments = packets.map(([arrivedAtMs, deliveredAtMs = arrivedAtMs]) => ({
    ...{ arrivedAtMs, deliveredAtMs, bytes: 1000 },
  }));
  return {
    ...{
      streamId,
      pushed: false,
      method: 'GET',
      scheme: 'https',
      authority: 'a.test',
      path: '/',
      status: 200,
    },
    ...{ requestFirstAtMs: sentAtMs, requestLastAtMs: sentAtMs, requestBytes: 100 },
    responseFirstAtMs: Math.min(...segments.map((segment) => segment.arrivedAtMs)),
    responseLastAtMs: Math.max(...segments.map((segment) => segment.arrivedAtMs)),
    ...{ responseBytes: 1000 * segments.length, complete: true, reset: false, segments },
  };
}

function waits(told: readonly Told[], of: WaitingConnection = connection, wantedAtMs: number | null = null) {
  const exchanges = told.map(exchange);
  const all = waitsOf(
    of,
    exchanges.map((one) => ({ exchange: one, wantedAtMs })),
  );
  return exchanges.map((one) => all.get(one));
}

describe('before it was sent', () => {
  const first = { streamId: 1, sentAtMs: 32, packets: [[60]] } as const;
  const second = { streamId: 3, sentAtMs: 70, packets: [[95]] } as const;

  it('the first flight waited for the handshake, then in the browser', () => {
    const [one, two] = waits([first, second]);
    expect(one).toMatchObject({ connectionMs: 30, browserMs: 2 });
    // On a shared connection only the browser knows since when it wanted the second.
    expect(two).toMatchObject({ connectionMs: 0, browserMs: null });
  });

  it('an HTTP/1.1 connection lay idle for as long as no response was under way', () => {
    const [, two] = waits([first, second], { ...connection, oneAtATime: true });
    expect(two).toMatchObject({ connectionMs: 0, browserMs: 10 });
  });

  it('what the browser wanted at 50 waited for the response that ended at 60', () => {
    const [, two] = waits([first, second], { ...connection, oneAtATime: true }, 50);
    expect(two).toMatchObject({ connectionMs: 10, browserMs: 10 });
  });

  it('is unknown where the handshake was not seen', () => {
    const [one] = waits([first], { ...connection, readyAtMs: null });
    expect(one).toMatchObject({ connectionMs: null, browserMs: null });
  });
});

describe('after it was sent', () => {
  it('waits for the server beyond one round trip', () => {
    const [one] = waits([{ streamId: 1, sentAtMs: 40, packets: [[75], [76]] }]);
    expect(one).toMatchObject({ serverMs: 15, behindStreamsMs: 0, otherLossMs: 0, ownLossMs: 0 });
  });

  it('waits behind another stream while that one has the connection', () => {
    const [, two] = waits([
      { streamId: 1, sentAtMs: 40, packets: [[60], [62], [64], [66], [68]] },
      { streamId: 3, sentAtMs: 40, packets: [[70], [72]] },
    ]);
    expect(two).toMatchObject({ serverMs: 2, behindStreamsMs: 8 });
  });

  it("waits for the server, not for a stream, while nobody's bytes come", () => {
    const [, two] = waits([
      { streamId: 1, sentAtMs: 40, packets: [[60], [62]] },
      { streamId: 3, sentAtMs: 40, packets: [[90]] },
    ]);
    expect(two).toMatchObject({ serverMs: 28, behindStreamsMs: 2 });
  });

  it("waits for another stream's lost packet on TCP", () => {
    const [one, two] = waits([
      { streamId: 1, sentAtMs: 40, packets: [[60], [85]] },
      {
        streamId: 3,
        sentAtMs: 40,
        packets: [
          [62, 85],
          [64, 85],
        ],
      },
    ]);
    expect(one).toMatchObject({ ownLossMs: 23, otherLossMs: 0 });
    expect(two).toMatchObject({ ownLossMs: 0, otherLossMs: 23 });
  });

  it("waits on QUIC for its own stream's alone", () => {
    const [one, two] = waits(
      [
        { streamId: 0, sentAtMs: 40, packets: [[60], [61, 85], [85]] },
        { streamId: 4, sentAtMs: 40, packets: [[62], [64]] },
      ],
      { ...connection, holesPerStream: true },
    );
    expect(one).toMatchObject({ ownLossMs: 24, otherLossMs: 0 });
    expect(two).toMatchObject({ ownLossMs: 0, otherLossMs: 0 });
  });

  it('is never more than the time there was', () => {
    const all = waits([
      { streamId: 1, sentAtMs: 40, packets: [[60], [61, 90], [63, 90], [90]] },
      { streamId: 3, sentAtMs: 41, packets: [[62, 90], [91], [92]] },
      { streamId: 5, sentAtMs: 42, packets: [[93]] },
    ]);
    for (const [i, end] of [90, 92, 93].entries()) {
      const { serverMs, behindStreamsMs, otherLossMs, ownLossMs } = all[i] ?? {};
      const sum = [serverMs, behindStreamsMs, otherLossMs, ownLossMs].reduce<number>(
        (t, ms) => t + (ms ?? NaN),
        0,
      );
      expect(sum).toBeLessThanOrEqual(end - 40 - i);
    }
  });
});

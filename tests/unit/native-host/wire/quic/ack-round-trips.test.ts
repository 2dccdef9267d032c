import { expect, it } from 'vitest';
import { AckRoundTrips } from '../../../../../native-host/wire/quic/ack-round-trips.ts';

// RFC 9002 sections 5.1 to 5.3.

it('takes one sample when an ACK names a new largest packet, from that packet', () => {
  const roundTrips = new AckRoundTrips();
  roundTrips.sent(0, 0);
  roundTrips.sent(1, 10);
  roundTrips.acknowledged(1, 0, 50);
  roundTrips.acknowledged(1, 0, 60);
  roundTrips.acknowledged(0, 0, 70);
  expect(roundTrips.takeSummary()).toEqual({ samples: 1, minMs: 40, medianMs: 40, maxMs: 40 });
  expect(roundTrips.takeSummary()).toBeNull();
});

it('takes none when the largest packet asked for no ACK', () => {
  const roundTrips = new AckRoundTrips();
  roundTrips.sent(0, 0);
  roundTrips.acknowledged(1, 0, 50);
  expect(roundTrips.takeSummary()).toBeNull();
});

it('takes the delay off that the server made, unless that is less than the least round trip', () => {
  const roundTrips = new AckRoundTrips();
  roundTrips.sent(0, 0);
  // min_rtt ignores the delay of the sample that sets it.
  roundTrips.acknowledged(0, 5, 40);
  roundTrips.sent(1, 100);
  roundTrips.acknowledged(1, 20, 165);
  roundTrips.sent(2, 200);
  roundTrips.acknowledged(2, 20, 250);
  expect(roundTrips.takeSummary()).toEqual({ samples: 3, minMs: 40, medianMs: 45, maxMs: 50 });
});

it('forgets the oldest of very many packets', () => {
  const roundTrips = new AckRoundTrips();
  for (let number = 0; number < 5000; number += 1) roundTrips.sent(number, number);
  roundTrips.acknowledged(100, 0, 5000);
  expect(roundTrips.takeSummary()).toBeNull();
  roundTrips.acknowledged(4999, 0, 5010);
  expect(roundTrips.takeSummary()?.maxMs).toBe(11);
});

import { expect, test } from 'vitest';
import { parseInterfaceCounts } from '../../../../native-host/network/interface-counters.ts';

// proc(5): bytes, packets, errs, drop, fifo, frame, compressed, multicast received; then the same sent.
const text = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo:  999999     999    0    0    0     0          0         0   999999     999    0    0    0     0       0          0
  eth0:    1140      10    0    0    0     0          0         0     2280      20    0    0    0     0       0          0
tl0-far:   114       1    0    0    0     0          0         0      228       2    0    0    0     0       0          0
`;

test('packets, and bytes without the Ethernet header, of all interfaces but the loopback', () => {
  expect(parseInterfaceCounts(text)).toEqual({ receivedPackets: 11, receivedIpBytes: 1100, sentPackets: 22 });
});

test('no interface has carried nothing', () => {
  expect(parseInterfaceCounts('')).toEqual({ receivedPackets: 0, receivedIpBytes: 0, sentPackets: 0 });
});

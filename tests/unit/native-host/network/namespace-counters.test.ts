import { expect, test } from 'vitest';
import {
  parseReceivedBytes,
  parseSegmentCounts,
} from '../../../../native-host/network/namespace-counters.ts';

// proc(5): bytes, packets, errs, drop, fifo, frame, compressed, multicast received; then the same sent.
const text = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo:  999999     999    0    0    0     0          0         0   999999     999    0    0    0     0       0          0
  eth0:    1140      10    0    0    0     0          0         0     2280      20    0    0    0     0       0          0
tl0-far:   114       1    0    0    0     0          0         0      228       2    0    0    0     0       0          0
`;

test('bytes without the Ethernet header, of all interfaces but the loopback', () => {
  expect(parseReceivedBytes(text)).toBe(1140 - 10 * 14 + 114 - 14);
});

test('no interface has received nothing', () => {
  expect(parseReceivedBytes('')).toBe(0);
});

// As Linux 6.1 prints it.
const tcp = `Tcp: RtoAlgorithm RtoMin RtoMax MaxConn ActiveOpens PassiveOpens AttemptFails EstabResets CurrEstab InSegs OutSegs RetransSegs InErrs OutRsts InCsumErrors
Tcp: 1 200 120000 -1 1620 774 475 561 0 237697 220087 582 0 1716 0
TcpExt: SyncookiesSent TCPSynRetrans TCPOrigDataSent
TcpExt: 0 40 9000
`;

test('segments of TCP received and sent, those sent again too, and once', () => {
  expect(parseSegmentCounts(`Ip: Forwarding\nIp: 1\n${tcp}Udp: InDatagrams\nUdp: 5\n`)).toEqual({
    received: 237_697,
    sent: 220_087 + 582 - 40,
  });
});

test('counts without TCP are no counts', () => {
  expect(() => parseSegmentCounts('Ip: Forwarding\nIp: 1\n')).toThrow('RetransSegs');
});

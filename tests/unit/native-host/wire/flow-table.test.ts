import { expect, it } from 'vitest';
import { FlowTable } from '../../../../native-host/wire/flow-table.ts';
import { Packet } from '../../../../native-host/wire/packet/packet.ts';
import { ethernet, ipv4, udp } from '../../../support/ip-packets.ts';

const packet = new Packet();
const payload = Buffer.alloc(4);

/** A packet between two ports of the same two addresses, decoded. */
function between(sourcePort: number, destinationPort: number, backwards = false): Packet {
  const bytes = ipv4(udp(payload, { sourcePort, destinationPort }));
  if (backwards) bytes.set([198, 51, 100, 2, 192, 0, 2, 1], 12);
  packet.decode(ethernet(bytes), 1, 100);
  return packet;
}

it('finds each of many flows from both sides, and no other', () => {
  const table = new FlowTable<number>();
  const ports = Array.from({ length: 5000 }, (_, i) => 10_000 + i);
  for (const port of ports) table.set(between(port, 443), port, 443, port);
  for (const port of ports) {
    expect(table.find(between(port, 443), port, 443)).toBe(port);
    expect(table.fromFirst).toBe(true);
    expect(table.find(between(443, port, true), 443, port)).toBe(port);
    expect(table.fromFirst).toBe(false);
  }
  expect(table.find(between(443, 10_000), 443, 10_000)).toBeUndefined();
  expect(table.find(between(9000, 443), 9000, 443)).toBeUndefined();
});

it('takes a new flow in the place of an old one, from either side', () => {
  const table = new FlowTable<string>();
  table.set(between(1000, 443), 1000, 443, 'old');
  table.set(between(1000, 443), 1000, 443, 'new');
  expect(table.find(between(443, 1000, true), 443, 1000)).toBe('new');
  table.set(between(443, 1000, true), 443, 1000, 'turned');
  expect(table.fromFirst).toBe(true);
  expect(table.find(between(1000, 443), 1000, 443)).toBe('turned');
  expect(table.fromFirst).toBe(false);
});

import { describe, expect, test } from 'vitest';
import * as v from 'valibot';
import {
  parseLabSetup,
  refuseLabOptions,
  type LabOptions,
} from '../../../../native-host/commands/lab-options.ts';
import { LabSetupSchema } from '../../../../shared/record/lab-setup.ts';

const tcpArms = ['h1', 'h2'] as const;

test('without options there is one server as the papers had it', () => {
  expect(parseLabSetup({}, ['h1', 'h2', 'h3'])).toEqual({
    ...{ server: 'caddy', shards: 1, ipVersion: 4 },
    // RFC 6928: ten segments.
    ...{ initialWindowPackets: [10], congestionControl: 'cubic', maxStreams: null },
  });
});

test('every option is heeded, and the setup is one that a record can hold', () => {
  const options = { shards: '7', ip: '6', server: 'apache', streams: '6', initcwnd: '3', congestion: 'bbr' };
  const setup = parseLabSetup(options, tcpArms);
  expect(setup).toEqual({
    ...{ server: 'apache', shards: 7, ipVersion: 6 },
    ...{ initialWindowPackets: [3, 3, 3, 3, 3, 3, 3], congestionControl: 'bbr', maxStreams: 6 },
  });
  expect(v.parse(LabSetupSchema, setup)).toEqual(setup);
});

test('each server can have an initial window of its own', () => {
  const { initialWindowPackets } = parseLabSetup({ shards: '4', initcwnd: '3,7,10,16' }, tcpArms);
  expect(initialWindowPackets).toEqual([3, 7, 10, 16]);
});

describe('refused, with what to do instead', () => {
  test.each<[LabOptions, RegExp]>([
    [{ shards: '0' }, /--shards/],
    [{ shards: '9' }, /1 to 8/],
    [{ ip: '5' }, /--ip 4 or --ip 6/],
    [{ server: 'nginx' }, /caddy or --server apache/],
    [{ server: 'apache', streams: '0' }, /1 to 100/],
    [{ server: 'apache', streams: '101' }, /1 to 100/],
    // Neither its HTTP/2 nor its HTTP/3 has a setting for it.
    [{ streams: '10' }, /--server apache/],
    [{ initcwnd: '0' }, /--initcwnd/],
    [{ initcwnd: '3,10' }, /--shards/],
    [{ congestion: 'cubic;reboot' }, /cubic, reno or bbr/],
  ])('%j', (options, remedy) => {
    expect(() => parseLabSetup(options, tcpArms)).toThrow(
      expect.objectContaining({ code: 'bad-argument', remedy: expect.stringMatching(remedy) as string }),
    );
  });

  test('HTTP/3 from a server that does not speak it', () => {
    expect(() => parseLabSetup({ server: 'apache' }, ['h2', 'h3'])).toThrow(/HTTP\/3/);
  });

  test('any of them for a live site', () => {
    expect(() => {
      refuseLabOptions({ shards: '3' });
    }).toThrow(/--shards is for the lab/);
    expect(() => {
      refuseLabOptions({});
    }).not.toThrow();
  });
});

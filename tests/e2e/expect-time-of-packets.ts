import { expect } from 'vitest';
import type { ObservedTime } from '../../shared/record/observed-time.ts';
import type { Observation } from '../../shared/record/observation.ts';
import type { ThreeOrigins } from '../support/three-origins.ts';

/** What packets say of a load of the page with three origins must fit page and servers. @returns what they say */
export function expectTimeOfPackets(
  { document, requests, wire }: Observation,
  origins: ThreeOrigins,
): Extract<ObservedTime, { missing: null }> {
  if (document === null || wire?.missing !== null) {
    throw new Error(`No time: ${JSON.stringify(wire)}`);
  }
  const { timeOnWire, connections } = wire;
  // All requests begin before the last response.
  const lastStartMs = Math.max(...requests.map(({ startMs }) => startMs));
  expect(timeOnWire.valueMs + timeOnWire.errorBoundMs).toBeGreaterThan(lastStartMs - document.endMs);
  const servers = [origins.own, origins.open, origins.hidden];
  expect(connections).toBeGreaterThanOrEqual(servers.length);
  expect(connections).toBeLessThanOrEqual(servers.reduce((sum, server) => sum + server.connections, 0));
  return wire;
}

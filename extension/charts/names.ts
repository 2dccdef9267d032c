import type { Arm } from '../../shared/record/arm.ts';
import type { Metric } from '../../shared/record/statistics.ts';
import type { Phases, Rule } from '../../shared/record/trial.ts';
import type { Waits } from '../../shared/record/wire.ts';
import { text } from './text.ts';

/** Arms as people call them. */
export function armName(arm: Arm): string {
  const names = { h1: 'HTTP/1.1', h2: 'HTTP/2', h3: 'HTTP/3', auto: text('armAuto') };
  return names[arm];
}

/** A browser's `nextHopProtocol` as people call it; null when the browser did not say. */
export function protocolName(nextHopProtocol: string | null): string | null {
  if (nextHopProtocol === null || nextHopProtocol === '') return null;
  const names: Record<string, string> = {
    h1: 'HTTP/1.1',
    'http/1.1': 'HTTP/1.1',
    'http/1.0': 'HTTP/1.0',
    h2: 'HTTP/2',
    h2c: 'HTTP/2',
    h3: 'HTTP/3',
  };
  return names[nextHopProtocol] ?? (nextHopProtocol.startsWith('h3-') ? 'HTTP/3' : nextHopProtocol);
}

/** The arm whose colour a protocol wears; null for others. */
export function armOfProtocol(protocol: string | null): Arm | null {
  const name = protocolName(protocol);
  if (name === 'HTTP/1.1') return 'h1';
  if (name === 'HTTP/2') return 'h2';
  return name === 'HTTP/3' ? 'h3' : null;
}

export function metricName(metric: Metric): string {
  return {
    timeOnWireMs: text('metricTimeOnWire'),
    loadTimeMs: text('metricLoadTime'),
    setupMs: text('metricSetup'),
    wireTotalMs: text('metricWireTotal'),
  }[metric];
}

/** One sentence: what the metric measures. */
export function metricMeaning(metric: Metric): string {
  return {
    timeOnWireMs: text('metricTimeOnWireMeaning'),
    loadTimeMs: text('metricLoadTimeMeaning'),
    setupMs: text('metricSetupMeaning'),
    wireTotalMs: text('metricWireTotalMeaning'),
  }[metric];
}

/** Phases in the order in which they happen. */
export const phaseOrder = [
  'blockedMs',
  'dnsMs',
  'connectMs',
  'tlsMs',
  'sendMs',
  'waitMs',
  'receiveMs',
] as const satisfies (keyof Phases)[];

export function phaseName(phase: keyof Phases): string {
  return {
    blockedMs: text('phaseBlocked'),
    dnsMs: text('phaseDns'),
    connectMs: text('phaseConnect'),
    tlsMs: text('phaseTls'),
    sendMs: text('phaseSend'),
    waitMs: text('phaseWait'),
    receiveMs: text('phaseReceive'),
  }[phase];
}

/** Causes of waiting, in the order in which they come up. */
export const waitOrder = [
  'connectionMs',
  'browserMs',
  'serverMs',
  'behindStreamsMs',
  'otherLossMs',
  'ownLossMs',
] as const satisfies (keyof Waits)[];

export function waitName(cause: keyof Waits): string {
  return {
    connectionMs: text('waitConnection'),
    browserMs: text('waitBrowser'),
    serverMs: text('waitServer'),
    behindStreamsMs: text('waitBehindStreams'),
    otherLossMs: text('waitOtherLoss'),
    ownLossMs: text('waitOwnLoss'),
  }[cause];
}

export function ruleName(rule: Rule): string {
  return {
    cold: text('ruleCold'),
    'protocol-browser': text('ruleProtocolBrowser'),
    'protocol-packets': text('ruleProtocolPackets'),
    whole: text('ruleWhole'),
    'same-resources': text('ruleSameResources'),
    capture: text('ruleCapture'),
    path: text('rulePath'),
    host: text('ruleHost'),
  }[rule];
}

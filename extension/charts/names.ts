import type { Arm } from '../../shared/record/arm.ts';
import type { Metric } from '../../shared/record/statistics.ts';
import type { Phases, Rule } from '../../shared/record/trial.ts';
import type { Waits } from '../../shared/record/wire.ts';
import { text, type MessageKey } from './text.ts';

/** Arms as people call them. */
export function armName(arm: Arm): string {
  return { h1: 'HTTP/1.1', h2: 'HTTP/2', h3: 'HTTP/3', auto: null }[arm] ?? text('armAuto');
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

const metricNames = {
  timeOnWireMs: 'metricTimeOnWire',
  loadTimeMs: 'metricLoadTime',
  setupMs: 'metricSetup',
  wireTotalMs: 'metricWireTotal',
} as const satisfies Record<Metric, MessageKey>;

export function metricName(metric: Metric): string {
  return text(metricNames[metric]);
}

const metricMeanings = {
  timeOnWireMs: 'metricTimeOnWireMeaning',
  loadTimeMs: 'metricLoadTimeMeaning',
  setupMs: 'metricSetupMeaning',
  wireTotalMs: 'metricWireTotalMeaning',
} as const satisfies Record<Metric, MessageKey>;

/** One sentence: what the metric measures. */
export function metricMeaning(metric: Metric): string {
  return text(metricMeanings[metric]);
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

const phaseNames = {
  blockedMs: 'phaseBlocked',
  dnsMs: 'phaseDns',
  connectMs: 'phaseConnect',
  tlsMs: 'phaseTls',
  sendMs: 'phaseSend',
  waitMs: 'phaseWait',
  receiveMs: 'phaseReceive',
} as const satisfies Record<keyof Phases, MessageKey>;

export function phaseName(phase: keyof Phases): string {
  return text(phaseNames[phase]);
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

const waitNames = {
  connectionMs: 'waitConnection',
  browserMs: 'waitBrowser',
  serverMs: 'waitServer',
  behindStreamsMs: 'waitBehindStreams',
  otherLossMs: 'waitOtherLoss',
  ownLossMs: 'waitOwnLoss',
} as const satisfies Record<keyof Waits, MessageKey>;

export function waitName(cause: keyof Waits): string {
  return text(waitNames[cause]);
}

const ruleNames = {
  cold: 'ruleCold',
  'protocol-browser': 'ruleProtocolBrowser',
  'protocol-packets': 'ruleProtocolPackets',
  whole: 'ruleWhole',
  'same-resources': 'ruleSameResources',
  capture: 'ruleCapture',
  path: 'rulePath',
  host: 'ruleHost',
} as const satisfies Record<Rule, MessageKey>;

export function ruleName(rule: Rule): string {
  return text(ruleNames[rule]);
}

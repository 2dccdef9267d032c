import type { Path } from '../../shared/record/path.ts';
import type { Arm } from '../../shared/record/arm.ts';
import type { Check, Treatment, Verdict } from '../../shared/record/trial.ts';
import type { WireFlow } from '../../shared/record/wire.ts';
import { intendedProtocol, protocolOf } from '../../shared/arms/protocol-names.ts';
import { ownRequests, type ComparedPage } from './treatment.ts';
import type { TrialObservation } from './trial-observation.ts';

/** At least this share of the page's own requests and bytes must have used the arm's protocol. */
export const minTreatmentShare = 0.99;

/** With less of the machine idle than this, the browser waited for the processor, not for the network. */
export const minCpuIdleRatio = 0.02;

/** A shorter load is all drawing and start-up, on any network and machine: its idle time says nothing. */
const minJudgedLoadMs = 1_000;

export interface TrialFacts {
  arm: Arm;
  page: ComparedPage;
  observation: TrialObservation;
  treatment: Treatment;
  path: Pick<Path, 'asked' | 'measuredBefore'>;
  /** Loaded in the person's own browser, which was flushed and not made for the trial. */
  own: boolean;
}

/** METHOD's rules for one trial by itself; `same-resources` needs the whole block and is added by the runner. */
export function checkTrial(facts: TrialFacts): Check[] {
  return [
    checkCold(facts),
    checkProtocolByBrowser(facts),
    checkProtocolByPackets(facts),
    checkWhole(facts),
    checkCapture(facts),
    checkPath(facts),
    checkHost(facts),
  ];
}

/** A trial counts when no rule failed; a rule that could not be checked is shown, not held against it. */
export function verdictOf(checks: Check[]): Verdict {
  const reasons = checks.filter(({ passed }) => passed === false).map(({ detail }) => detail);
  return { valid: reasons.length === 0, reasons, checks };
}

const percent = (ratio: number): string => `${(ratio * 100).toFixed(ratio === 1 ? 0 : 1)} %`;

/**
 * Rule 1. Cold by construction (new process, profile and namespace, or flushed in the person's own browser); this looks
 * for signs of the contrary.
 */
function checkCold({ observation: { resources, wire }, own }: TrialFacts): Check {
  const cached = resources.filter(({ fromCache, url }) => fromCache && isFirst(resources, url));
  if (cached.length > 0) {
    return { rule: 'cold', passed: false, detail: `${cached.length} resources came from a cache` };
  }
  const hosts = new Set(resources.map(({ url }) => new URL(url).hostname));
  // Where others are on the interface too, their connections are as warm as they like.
  const flows = wire?.flows.filter(({ sni }) => !own || sni === null || hosts.has(sni)) ?? [];
  const resumed = firstSecured(flows).filter((flow) => flow.resumed === true);
  return resumed.length > 0
    ? {
        rule: 'cold',
        passed: false,
        detail: `the first connection to ${resumed[0]?.sni ?? 'a server'} resumed a TLS session`,
      }
    : {
        rule: 'cold',
        passed: true,
        detail: own
          ? 'connections, caches, names and TLS sessions were flushed, cookies kept; nothing came from a cache'
          : 'new process, profile and network namespace; nothing came from a cache',
      };
}

/**
 * Of the connections to each server the one whose handshake was done first, which is not always the one that was begun
 * first: where its first packets are lost, the next one's session is there to be resumed.
 */
function firstSecured(flows: readonly WireFlow[]): WireFlow[] {
  const securedAtMs = ({ firstPacketAtMs, handshakeMs }: WireFlow) =>
    firstPacketAtMs + (handshakeMs ?? Infinity);
  const latestFirst = flows.toReversed().sort((a, b) => securedAtMs(b) - securedAtMs(a));
  return [...new Map(latestFirst.map((flow) => [flow.sni ?? flow.serverAddress, flow])).values()];
}

/** A page may use a picture twice: the second time it comes from memory, which is no warm start. */
function isFirst(resources: TrialObservation['resources'], url: string): boolean {
  return resources.find((resource) => resource.url === url)?.fromCache === true;
}

/** Rule 2, the browser's side. */
function checkProtocolByBrowser({ arm, page, observation, treatment }: TrialFacts): Check {
  const rule = 'protocol-browser';
  const wanted = intendedProtocol(arm);
  if (wanted === null) return { rule, passed: true, detail: 'any protocol will do: the browser chose' };
  const { resources, error } = observation;
  if (error) return { rule, passed: null, detail: 'the page did not load' };
  const document = ownRequests(resources, page).find(({ type }) => type === 'document');
  if (!document) return { rule, passed: null, detail: 'no document was received' };
  if (protocolOf(document.protocol) !== wanted) {
    return {
      rule,
      passed: false,
      detail: `the document came over ${document.protocol ?? 'an unknown protocol'}, not ${arm}`,
    };
  }
  const share = Math.min(treatment.requestShare ?? 0, treatment.byteShare ?? 0);
  return {
    rule,
    passed: share >= minTreatmentShare,
    detail: `${percent(share)} of the page's own requests and bytes used ${arm}`,
  };
}

/** Rule 2, the packets' side. */
function checkProtocolByPackets({ arm, observation, treatment }: TrialFacts): Check {
  const rule = 'protocol-packets';
  if (intendedProtocol(arm) === null)
    return { rule, passed: true, detail: 'any protocol will do: the browser chose' };
  if (observation.error) return { rule, passed: null, detail: 'the page did not load' };
  if (observation.wire === null)
    return { rule, passed: null, detail: observation.wireMissing ?? 'no packets were captured' };
  const { wireByteShare } = treatment;
  if (wireByteShare === null) return { rule, passed: false, detail: 'no packets of the page were captured' };
  const used = percent(wireByteShare);
  const told = !observation.wire.flows.some((flow) => flow.page && flow.protocol === null);
  return {
    rule,
    passed: wireByteShare >= minTreatmentShare,
    detail:
      told || arm === 'h3'
        ? `${used} of the page's own bytes on the wire used ${arm}`
        : `${used} of the page's own bytes on the wire went over TCP, as ${arm} does; without keys packets tell no more`,
  };
}

/** Rule 3. Pings are sent while a page is left or idle, and abort by nature: they are no part of its load. */
function checkWhole({ page, observation: { navigation, resources, error } }: TrialFacts): Check {
  const rule = 'whole';
  if (error) return { rule, passed: false, detail: error.message };
  if (navigation?.loadEventEndMs == null)
    return { rule, passed: false, detail: 'the load event did not fire' };
  const status =
    navigation.status ?? ownRequests(resources, page).find(({ type }) => type === 'document')?.status;
  if (status == null || status < 200 || status > 299) {
    return { rule, passed: false, detail: `the document's status was ${status ?? 'unknown'}` };
  }
  const failed = resources.filter(({ failure, type }) => failure !== null && type !== 'ping');
  if (failed.length > 0) {
    const [first] = failed;
    return {
      rule,
      passed: false,
      detail: `${failed.length} requests did not finish (${first?.url ?? ''}: ${first?.failure ?? ''})`,
    };
  }
  return {
    rule,
    passed: true,
    detail: `status ${status}, load event fired, ${resources.length} requests all finished`,
  };
}

/** Rule 4, the capture. */
function checkCapture({ observation: { capture, wireMissing } }: TrialFacts): Check {
  const rule = 'capture';
  if (!capture) return { rule, passed: null, detail: wireMissing ?? 'no packets were captured' };
  const dropped = (capture.droppedByKernel ?? 0) + (capture.droppedByInterface ?? 0);
  return dropped > 0
    ? { rule, passed: false, detail: `the capture dropped ${dropped} packets` }
    : { rule, passed: true, detail: `${capture.packets} packets captured, none dropped` };
}

/** Rule 4, the path. */
function checkPath({ path: { asked, measuredBefore } }: TrialFacts): Check {
  const rule = 'path';
  if (!asked) return { rule, passed: true, detail: 'no shaping was asked for' };
  if (!measuredBefore) return { rule, passed: null, detail: 'the path could not be measured' };
  return measuredBefore.deviations.length === 0
    ? { rule, passed: true, detail: 'the path measured as asked' }
    : { rule, passed: false, detail: measuredBefore.deviations.join('; ') };
}

/** Rule 5. */
function checkHost({ observation: { cpuIdleRatio, cost } }: TrialFacts): Check {
  const rule = 'host';
  if (cpuIdleRatio === null) return { rule, passed: null, detail: "the processor's idle time is unknown" };
  const detail = `the processor was ${percent(cpuIdleRatio)} idle during the load`;
  if (cost.loadMs < minJudgedLoadMs)
    return { rule, passed: null, detail: `${detail}, which was too short to tell` };
  return { rule, passed: cpuIdleRatio >= minCpuIdleRatio, detail };
}

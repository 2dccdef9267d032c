import { describe, expect, it } from 'vitest';
import type { Arm } from '../../../../shared/record/arm.ts';
import type { Rule, Trial } from '../../../../shared/record/trial.ts';
import type { Wire } from '../../../../shared/record/wire.ts';
import { seededGenerator } from '../../../../shared/stats/seeded-generator.ts';
import { assembleTrial } from '../../../../native-host/comparison/assemble-trial.ts';
import { judgeBlock } from '../../../../native-host/comparison/judge-block.ts';
import type { TrialObservation } from '../../../../native-host/comparison/trial-observation.ts';
import { makeTrial } from '../../../fixtures/record/make-trial.ts';

const url = 'https://synthetic.example/';
const path = { asked: null, measuredBefore: null };
const engineCost = { pathMs: 0, workerMs: 0, closeMs: 0 };
const placeOf = (arm: Arm) => ({ index: 0, block: 1, attempt: 0, arm, warmup: false });

/** What a worker saw of the synthetic load, with something about it changed. */
function observe(arm: Arm, change: Partial<TrialObservation> = {}): TrialObservation {
  const trial = makeTrial(placeOf(arm), seededGenerator(1));
  const { startedAt, navigation, resources, wire, wireMissing, capture, cpuIdleRatio, error } = trial;
  const cost = { browserStartMs: 0, loadMs: 3_000, quietMs: 0, analysisMs: 0 };
  return {
    ...{ startedAt, navigation, resources, wire, wireMissing, capture, cpuIdleRatio, error, cost },
    browserVersion: 'Chrome/156',
    altSvc: {},
    ...change,
  };
}

const page = { url, shards: [] };

const judge = (arm: Arm, change: Partial<TrialObservation> = {}): Trial =>
  assembleTrial(placeOf(arm), { page, path, own: false }, observe(arm, change), engineCost);

const failedRules = ({ verdict }: Trial): Rule[] =>
  verdict.checks.filter(({ passed }) => passed === false).map(({ rule }) => rule);

describe('a trial by itself', () => {
  it.each(['h1', 'h2', 'h3', 'auto'] as const)('counts in arm %s when nothing is wrong with it', (arm) => {
    const trial = judge(arm);
    expect(trial.verdict.reasons).toEqual([]);
    expect(trial.verdict.valid).toBe(true);
    expect(trial.loadTimeMs).toBe(trial.navigation?.loadEventEndMs);
  });

  it('does not count when the document fell back', () => {
    const trial = judge('h3', { resources: observe('h2').resources });
    expect(failedRules(trial)).toContain('protocol-browser');
    expect(trial.treatment.requestShare).toBe(0);
    expect(trial.verdict.valid).toBe(false);
  });

  it('holds the shards of the page to the protocol, as it does the document', () => {
    const { resources, wire } = observe('h2');
    const elsewhere = (address: string) => address.replace(/^https:\/\/[^/]+/, 'https://s2.example');
    const last = resources.length - 1;
    const spread = resources.map((resource, at) =>
      at === last ? { ...resource, url: elsewhere(resource.url), protocol: 'http/1.1' } : resource,
    );
    const judged = (shards: string[]) =>
      assembleTrial(
        placeOf('h2'),
        { page: { url, shards }, path, own: false },
        observe('h2', { resources: spread, wire }),
        engineCost,
      );
    expect(judged([]).treatment.requestShare).toBe(1);
    expect(judged(['https://s2.example']).treatment.requestShare).toBe(last / resources.length);
    expect(failedRules(judged(['https://s2.example']))).toEqual(['protocol-browser']);
  });

  it('does not count when a TLS session was there before it', () => {
    const { wire } = observe('h1');
    const flows = wire?.flows.map((flow) => ({ ...flow, resumed: true })) ?? [];
    expect(failedRules(judge('h1', { wire: wire && { ...wire, flows } }))).toEqual(['cold']);
  });

  it('counts when the connection begun first resumes the session of the one that was ready first', () => {
    const { wire } = observe('h1');
    const flows = wire?.flows.map((flow) =>
      // Its SYN was lost, and the handshakes of the others were done a second before its own.
      flow.id === 0 ? { ...flow, resumed: true, handshakeMs: 1_200 } : flow,
    );
    expect(flows?.length).toBeGreaterThan(1);
    expect(failedRules(judge('h1', { wire: wire && { ...wire, flows: flows ?? [] } }))).toEqual([]);
  });

  it('does not count when the packets contradict the browser', () => {
    const trial = judge('h3', { wire: observe('h2').wire });
    expect(failedRules(trial)).toEqual(['protocol-packets']);
  });

  it('takes TCP for HTTP/1.1 and HTTP/2 where no keys tell which of them, and never for HTTP/3', () => {
    // TLS 1.3 encrypts the server's choice; what speaks QUIC is HTTP/3.
    const keylessWire = (arm: Arm): Wire => {
      const { wire } = observe(arm);
      if (!wire) throw new Error('the synthetic trial has packets');
      const flows = wire.flows.map((flow) =>
        flow.transport === 'tcp' ? { ...flow, protocol: null, requests: null } : flow,
      );
      return { ...wire, method: 'keyless', flows };
    };
    const keyless = (arm: Arm): Trial => judge(arm, { wire: keylessWire(arm) });
    const packets = ({ verdict }: Trial) =>
      verdict.checks.find(({ rule }) => rule === 'protocol-packets')?.detail;
    expect(keyless('h2').treatment.wireByteShare).toBe(1);
    expect(packets(keyless('h2'))).toContain('went over TCP, as h2 does; without keys packets tell no more');
    expect(packets(keyless('h3'))).toContain('used h3');
    expect(failedRules(judge('h3', { wire: keylessWire('h2') }))).toEqual(['protocol-packets']);
  });

  it("says what was flushed in the person's own browser, where others may resume what they like", () => {
    const { wire } = observe('h2');
    const other = wire?.flows.map((flow) => ({
      ...flow,
      sni: 'elsewhere.example',
      page: false,
      resumed: true,
    }));
    const trial = assembleTrial(
      placeOf('h2'),
      { page, path, own: true },
      observe('h2', { wire: wire && { ...wire, flows: [...wire.flows, ...(other ?? [])] } }),
      engineCost,
    );
    expect(trial.verdict.checks[0]).toMatchObject({ rule: 'cold', passed: true });
    expect(trial.verdict.checks[0]?.detail).toContain('flushed, cookies kept');
  });

  it('counts without packets, and says that the rule could not be checked', () => {
    const trial = judge('h2', { wire: null, wireMissing: 'no rights to capture', capture: null });
    expect(trial.verdict.valid).toBe(true);
    expect(trial.verdict.checks.find(({ rule }) => rule === 'protocol-packets')).toEqual({
      rule: 'protocol-packets',
      passed: null,
      detail: 'no rights to capture',
    });
  });

  it('does not count when a request was aborted, the status is no 2xx, or load never fired', () => {
    const { resources, navigation } = observe('h2');
    if (!navigation) throw new Error('the synthetic trial has a navigation');
    const aborted = resources.map((resource, at) =>
      at === 3 ? { ...resource, failure: 'aborted' } : resource,
    );
    expect(failedRules(judge('h2', { resources: aborted }))).toEqual(['whole']);
    expect(failedRules(judge('h2', { navigation: { ...navigation, status: 404 } }))).toEqual(['whole']);
    expect(failedRules(judge('h2', { navigation: { ...navigation, loadEventEndMs: null } }))).toEqual([
      'whole',
    ]);
  });

  it('does not count when the capture dropped packets, the host was busy, or something came from a cache', () => {
    const { capture, resources } = observe('h2');
    if (!capture) throw new Error('the synthetic trial has a capture');
    expect(failedRules(judge('h2', { capture: { ...capture, droppedByKernel: 3 } }))).toEqual(['capture']);
    expect(failedRules(judge('h2', { cpuIdleRatio: 0.001 }))).toEqual(['host']);
    const short = { browserStartMs: 0, loadMs: 200, quietMs: 0, analysisMs: 0 };
    expect(failedRules(judge('h2', { cpuIdleRatio: 0.001, cost: short }))).toEqual([]);
    const cached = resources.map((resource, at) => (at === 2 ? { ...resource, fromCache: true } : resource));
    expect(failedRules(judge('h2', { resources: cached }))).toEqual(['cold']);
  });

  it('keeps the error of a load that failed, as the first reason', () => {
    const error = {
      code: 'host-unreachable',
      stage: 'trial',
      message: 'nobody there',
      remedy: null,
    } as const;
    const trial = judge('h2', {
      error,
      navigation: null,
      resources: [],
      wire: null,
      wireMissing: 'x',
      capture: null,
    });
    expect(trial.verdict).toMatchObject({ valid: false });
    expect(trial.verdict.reasons[0]).toBe('nobody there');
    expect(trial.loadTimeMs).toBeNull();
  });
});

describe('a block', () => {
  it('asks for the same own-origin resources in every arm', () => {
    const whole = [judge('h1'), judge('h2'), judge('h3')];
    expect(judgeBlock(whole, page).every(({ verdict }) => verdict.valid)).toBe(true);
    const [first, second, third] = judgeBlock(
      [judge('h1'), judge('h2', { resources: observe('h2').resources.slice(0, -1) }), judge('h3')],
      page,
    );
    expect([first?.verdict.valid, second?.verdict.valid, third?.verdict.valid]).toEqual([true, false, true]);
  });
});

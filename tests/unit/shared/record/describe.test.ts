import { describe as suite, expect, it } from 'vitest';
import { describe } from '../../../../shared/record/describe.ts';
import { describeLab } from '../../../../shared/record/describe-lab.ts';
import type { LabSetup } from '../../../../shared/record/lab-setup.ts';
import { describePath, describeRate } from '../../../../shared/record/describe-path.ts';
import { counted, listed } from '../../../../shared/record/names.ts';
import { makeDesign, makeRecord } from '../../../fixtures/record/make-record.ts';

suite('describe', () => {
  it('says what was compared, how often, and what was repeated', () => {
    const { title, incomplete, measured } = describe(makeRecord());
    expect(title).toBe('https://synthetic.example/ over h1, h2 and h3');
    expect(incomplete).toBeNull();
    expect(measured).toEqual([
      '10 blocks: in each, one load per arm (h1, h2 and h3), in random order (seed 7), 2 s apart.',
      'Before them 1 warm-up block, which does not count.',
      '1 block with a failed load was repeated; one try of each counts.',
    ]);
  });

  it('says how long a run was planned to go on, and how long it did', () => {
    const stopping = {
      precisionPercent: 3,
      looks: [
        { blocks: 10, confidence: 0.9875 },
        { blocks: 15, confidence: 0.99375 },
        { blocks: 40, confidence: 0.96875 },
      ],
    };
    const whole = makeRecord({ design: makeDesign({ rounds: 40, stopping }) });
    const trials = whole.trials.filter(({ block }) => block <= 15);
    const { measured } = describe(makeRecord({ design: whole.design, trials }));
    expect(measured.slice(0, 3)).toEqual([
      '15 blocks: in each, one load per arm (h1, h2 and h3), in random order (seed 7), 2 s apart.',
      'Planned before the first load: 40 blocks at most, fewer if at a look, after 10 and 15, every interval ' +
        'of Time on Wire is ± 3 % or narrower.',
      'Intervals are of 99.4 % confidence, so that all these looks together err no more often than one of 95 %.',
    ]);
  });

  it('says that a run did not end, and why', () => {
    const record = makeRecord();
    const error = { code: 'host-unreachable', stage: 'trial', message: 'It is down.', remedy: null } as const;
    expect(describe({ ...record, outcome: 'failed', error }).incomplete).toBe(
      'The run failed after 36 trials (planned: 33). It is down.',
    );
    expect(describe({ ...record, outcome: 'cancelled', trials: record.trials.slice(0, 1) }).incomplete).toBe(
      'The run was stopped after 1 trial (planned: 33).',
    );
  });

  it('says that HTTP/3 was forced only where there is an h3 arm', () => {
    expect(describe(makeRecord()).dependsOn.join(' ')).toContain('HTTP/3 is used from the first packet');
    const without = describe(makeRecord({ design: makeDesign({ arms: ['h1', 'h2'] }) }));
    expect(without.dependsOn.join(' ')).not.toContain('HTTP/3');
  });

  it("says what is different in the person's own browser", () => {
    const record = makeRecord();
    const browser = { ...record.environment.browser, own: true as const };
    const own = describe({ ...record, environment: { ...record.environment, browser } }).dependsOn.join(' ');
    expect(own).toContain("The person's own");
    expect(own).toContain('with its cookies and extensions');
    expect(own).toContain('not to be mixed');
    expect(describe(record).dependsOn.join(' ')).not.toContain('own profile');
  });

  it('says which trials have no Time on Wire, and why', () => {
    const record = makeRecord();
    const trials = record.trials.map((trial) => ({
      ...trial,
      wire: null,
      wireMissing: 'no right to capture',
    }));
    expect(describe({ ...record, trials }).doesNotShow).toContain(
      'Time on Wire of 32 trials: no right to capture.',
    );
  });
});

suite('describePath', () => {
  it('puts what was asked beside what was measured', () => {
    expect(describePath(makeRecord().path)).toEqual([
      "Between the browser and Towline's own servers, on a network of its own.",
      'Asked: RTT 150 ms, 1 Mbit/s each way, no loss, queue of 256 packets.',
      'Measured before: RTT 150.4 ms, 0.996 Mbit/s down, 0.997 Mbit/s up, no loss in 200 packets down, ' +
        'no loss in 200 packets up.',
    ]);
  });

  it('names unequal directions and deviations', () => {
    const { path } = makeRecord();
    const [, asked] = describePath({
      ...path,
      asked: {
        rttMs: 20,
        downBitsPerSecond: 20e6,
        upBitsPerSecond: null,
        lossDownRatio: 0.01,
        lossUpRatio: 0,
        queuePackets: 1,
      },
    });
    expect(asked).toBe(
      'Asked: RTT 20 ms, 20 Mbit/s down, any rate up, 1 % loss down, no loss up, queue of 1 packet.',
    );
  });

  it('gives rates in decimal units', () => {
    expect([64_000, 500_000, 1_250_000, 1e9].map(describeRate)).toEqual([
      '64 kbit/s',
      '0.5 Mbit/s',
      '1.25 Mbit/s',
      '1000 Mbit/s',
    ]);
  });
});

suite('words', () => {
  it('are listed and counted as one speaks', () => {
    expect([listed([]), listed(['h1']), listed(['h1', 'h2']), listed(['h1', 'h2', 'h3'])]).toEqual([
      '',
      'h1',
      'h1 and h2',
      'h1, h2 and h3',
    ]);
    expect([counted(1, 'trial'), counted(0, 'trial')]).toEqual(['1 trial', '0 trials']);
  });
});

suite('describe, of a lab', () => {
  const lab = { page: 'youtube', server: 'Caddy 2.6.2', resources: 50, bytes: 531_500 };
  const setup: LabSetup = {
    ...{ server: 'caddy', shards: 4, ipVersion: 6, congestionControl: 'cubic', maxStreams: null },
    initialWindowPackets: [3, 3, 3, 3],
  };

  it('says how the servers were set up, and that it does not reach HTTP/3', () => {
    const words = describeLab({ ...lab, setup, servers: [] }, true);
    expect(words.join(' ')).toContain('4 servers (Caddy 2.6.2) with a name and an IPv6 address each');
    expect(words.join(' ')).toMatch(/window of 3 segments, and cubic .* HTTP\/3 has the server's own/);
  });

  it('names the server alone where nothing was written down', () => {
    expect(describeLab({ ...lab, setup: null, servers: [] }, true)).toEqual(['The server: Caddy 2.6.2.']);
  });
});

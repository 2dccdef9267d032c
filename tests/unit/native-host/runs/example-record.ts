import type { ComparisonRecord } from '../../../../shared/record/record.ts';

/** A comparison that was cut off before its first trial was done. */
export function exampleRecord(id: string): ComparisonRecord {
  return {
    format: 'towline-record',
    version: 1,
    id,
    createdAt: '2026-01-01T00:00:00.000Z',
    environment: {
      towlineVersion: '0.1.0',
      os: 'Debian GNU/Linux 12',
      kernel: '6.1',
      architecture: 'x64',
      cpu: 'a processor',
      cpuCores: 2,
      memoryBytes: 4e9,
      node: 'v20.19.0',
      browser: { name: 'chromium', version: '156.0', headless: true },
    },
    target: { asked: 'https://example.org/', url: 'https://example.org/', lab: null },
    design: {
      arms: ['h1', 'h2'],
      rounds: 2,
      warmupBlocks: 0,
      seed: 1,
      gapMs: 0,
      blockRetries: 0,
      order: [
        ['h1', 'h2'],
        ['h2', 'h1'],
      ],
      stopping: null,
    },
    path: {
      kind: 'none',
      router: null,
      asked: null,
      measuredBefore: null,
      measuredAfter: null,
      notes: [],
    },
    http3: null,
    trials: [],
    statistics: {
      confidence: 0.95,
      resamples: 0,
      seed: 1,
      arms: [],
      friedman: { timeOnWireMs: null, setupMs: null, wireTotalMs: null, loadTimeMs: null },
      pairs: [],
    },
    outcome: 'running',
    error: null,
  };
}

import { defineConfig } from 'vitest/config';

/** Tests that make namespaces or start browsers take turns: the machine has one network and few cores. */
const oneAtATime = {
  fileParallelism: false,
  sequence: { groupOrder: 1 },
  testTimeout: 120_000,
  hookTimeout: 120_000,
};

export default defineConfig({
  test: {
    projects: [
      // The time-out is no statement about speed: it is for a machine that does much else meanwhile.
      { test: { name: 'unit', include: ['tests/unit/**/*.test.ts'], testTimeout: 60_000 } },
      { test: { name: 'integration', include: ['tests/integration/**/*.test.ts'], ...oneAtATime } },
      {
        test: {
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          globalSetup: 'tests/e2e/build-before-all.ts',
          ...oneAtATime,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    globalSetup: ['tests/harness/cluster.ts'],
    reporters: ['default', './tests/harness/reporter.ts'],
    // Tests start programs and listen for signals: each file has a process of its own. CI has two cores.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});

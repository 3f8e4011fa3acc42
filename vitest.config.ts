import { defineConfig, type ViteUserConfig } from 'vitest/config';

/** What holds for every test. */
export const shared: ViteUserConfig['test'] = {
  globalSetup: ['tests/harness/cluster.ts'],
  reporters: ['default', './tests/harness/reporter.ts'],
  // Tests start programs and listen for signals: each file has a process of its own. CI has two cores.
  pool: 'forks',
  maxWorkers: 2,
  hookTimeout: 60_000,
};

export default defineConfig({
  test: {
    ...shared,
    include: ['tests/**/*.test.ts'],
    exclude: ['tests/deep/**'],
    testTimeout: 60_000,
  },
});

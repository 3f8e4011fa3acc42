import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { filesWithoutProgram } from './tests/support/programs.ts';

/** What holds for every test. */
export const shared: ViteUserConfig['test'] = {
  globalSetup: ['tests/support/cluster.ts'],
  reporters: ['default', './tests/support/reporter.ts'],
  // Tests start programs and listen for signals: processes, no threads. Three on the two cores of CI take a fifth less time than two, because
  // tests often wait.
  pool: 'forks',
  maxWorkers: 3,
  // A process takes one file after the other: to load the service anew for each is a third of all the time.
  isolate: false,
  // Nothing is timed: a busy machine may stand still for a minute.
  hookTimeout: 300_000,
  testTimeout: 300_000,
  provide: { depth: 1 },
};

export default defineConfig({
  test: {
    ...shared,
    include: ['tests/**/*.test.ts'],
    exclude: ['tests/deep/**', 'tests/generated/**', 'tests/scale/patroni/**', ...filesWithoutProgram()],
  },
});

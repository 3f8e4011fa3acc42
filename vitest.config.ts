import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { filesWithoutProgram } from './tests/support/programs.ts';

if (process.env.NODE_ENV === 'production') throw new Error('Tests do not run with NODE_ENV=production.');

/** What holds for every test. */
export const shared: ViteUserConfig['test'] = {
  env: { NODE_ENV: 'test' },
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

/** Tests that there is no time for with every change: `npm run test:deep` runs them. */
export const DEEP = [
  'tests/deep/**/*.test.ts',
  'tests/**/races.test.ts',
  'tests/db/deadlocks.test.ts',
  'tests/db/locked-rows.test.ts',
  'tests/edge/convergence.test.ts',
  'tests/feeds/feeds-under-writes.test.ts',
  'tests/hubs/leaks.test.ts',
  'tests/images/broken.test.ts',
  'tests/notifications/inbox-plans.test.ts',
  'tests/people/search-plan.test.ts',
  'tests/posts/hub-removal.test.ts',
  'tests/secrecy/follower.test.ts',
];

export default defineConfig({
  test: {
    ...shared,
    include: ['tests/**/*.test.ts'],
    exclude: [...DEEP, 'tests/generated/**', 'tests/scale/patroni/**', ...filesWithoutProgram()],
  },
});

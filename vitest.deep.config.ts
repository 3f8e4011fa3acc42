import { defineConfig } from 'vitest/config';
import { shared } from './vitest.config.ts';

// Tests that try far more than there is time for with every change.
export default defineConfig({
  test: {
    ...shared,
    include: [
      'tests/deep/**/*.test.ts',
      'tests/**/races.test.ts',
      'tests/db/deadlocks.test.ts',
      'tests/http/bad-input.test.ts',
      'tests/hubs/leaks.test.ts',
      'tests/images/broken.test.ts',
      'tests/posts/hub-removal.test.ts',
    ],
    provide: { depth: 16 },
    testTimeout: 3_600_000,
  },
});

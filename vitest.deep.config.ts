import { defineConfig } from 'vitest/config';
import { DEEP, shared } from './vitest.config.ts';

// Tests that try far more than there is time for with every change.
export default defineConfig({
  test: {
    ...shared,
    include: [...DEEP, 'tests/http/bad-input.test.ts'],
    provide: { depth: 16 },
    testTimeout: 3_600_000,
  },
});

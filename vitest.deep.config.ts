import { defineConfig } from 'vitest/config';
import { shared } from './vitest.config.ts';

// Tests that try far more than there is time for with every change.
export default defineConfig({
  test: { ...shared, include: ['tests/deep/**/*.test.ts'], testTimeout: 3_600_000 },
});

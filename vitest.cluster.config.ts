import { defineConfig } from 'vitest/config';
import { shared } from './vitest.config.ts';

// Tests on a cluster of Patroni, in namespaces of their own: they need root, and the packages of .ci/patroni.
export default defineConfig({
  test: {
    ...shared,
    globalSetup: [],
    include: ['tests/scale/patroni/*.test.ts'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // Each file has a cluster, at the same addresses.
    fileParallelism: false,
  },
});

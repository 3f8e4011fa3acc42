import { defineConfig } from 'vitest/config';
import { shared } from './vitest.config.ts';

// Clients generated from the OpenAPI document, which need Java, Maven and Python, and the client in React Native, which needs its toolchain.
export default defineConfig({
  test: { ...shared, include: ['tests/generated/**/*.test.ts'], testTimeout: 600_000, hookTimeout: 600_000 },
});

import { test } from 'vitest';
import { expectConvergence } from '../simulations/devices/simulation.ts';

// Shrinking a failing schedule takes minutes.
const timeout = 300_000;

// docs/product.md N1, N24
test('a phone converges to the inbox despite lost, doubled and late signals', {
  timeout,
}, async () => {
  await expectConvergence({ numRuns: 8, maxLength: 40, timeout: 200_000 });
});

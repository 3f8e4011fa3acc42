import { describe, test } from 'vitest';
import { DENO_PACKAGES } from '../../scripts/local/edge-function.ts';
import { expectConvergence } from '../simulations/devices/simulation.ts';
import { scaled } from '../support/depth.ts';

// docs/product.md N1, N24
test('a phone converges to its inbox with lost, doubled and late signals', async () => {
  await expectConvergence({ numRuns: scaled(1000), maxLength: 50, timeout: 3_000_000 });
});

describe.each(DENO_PACKAGES)('push notifications of the edge function on npm package %s', (deno) => {
  test('a phone converges to its inbox with lost, doubled and late signals', async () => {
    await expectConvergence({ numRuns: scaled(30), maxLength: 50, timeout: 1_000_000, deno });
  });
});

import { test } from 'vitest';
import { DENO_PACKAGES } from '../../scripts/local/edge-function.ts';
import { expectConvergence } from '../simulations/devices/simulation.ts';

// The deep run takes more histories, and every version.
test.each(DENO_PACKAGES.slice(0, 1))(
  'a phone converges to its inbox with lost, doubled and late signals and the push function on npm package %s',
  async (deno) => {
    await expectConvergence({ numRuns: 4, maxLength: 40, timeout: 200_000, deno });
  },
);

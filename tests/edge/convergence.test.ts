import { describe, inject, test } from 'vitest';
import { DENO_PACKAGES } from '../../scripts/local/edge-function.ts';
import { expectConvergence } from '../simulations/devices/simulation.ts';

// The deep run takes every version, other runs the level of Supabase's Edge Runtime.
const packages = DENO_PACKAGES.slice(0, inject('depth'));

describe.each(packages)('the push function on npm package %s', (deno) => {
  test(
    'a phone converges to the inbox despite lost, doubled and late signals',
    {
      timeout: 300_000,
    },
    () => expectConvergence({ numRuns: 4, maxLength: 40, timeout: 200_000, deno }),
  );
});

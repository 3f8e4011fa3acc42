import { describe, test } from 'vitest';
import { DENO_PACKAGES } from '../../scripts/local/edge-function.ts';
import { expectConvergence } from '../simulations/devices/schedules.ts';

describe.each(DENO_PACKAGES)('the push function on npm package %s', (deno) => {
  test(
    'a phone converges to the inbox despite lost, doubled and late signals',
    {
      timeout: 300_000,
    },
    () => expectConvergence({ numRuns: 4, maxLength: 40, timeout: 200_000, deno }),
  );
});

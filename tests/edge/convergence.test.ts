import { describe, test } from 'vitest';
import { DENO_PACKAGES } from '../../scripts/local/edge-function.ts';
import { expectConvergence } from '../simulations/devices/schedules.ts';

describe.each(DENO_PACKAGES)(
  'with notifications delivered by the function push on npm package %s',
  (deno) => {
    test(
      'whatever is lost, doubled or late, a phone shows what the inbox is in the end',
      {
        timeout: 300_000,
      },
      () => expectConvergence({ numRuns: 4, maxLength: 40, timeout: 200_000, deno }),
    );
  },
);

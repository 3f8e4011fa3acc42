import { describe, test } from 'vitest';
import { DENO_PACKAGES } from '../../scripts/local/edge-function.ts';
import { expectConvergence } from '../simulations/devices/schedules.ts';

test('whatever is lost, doubled or late, a phone shows what the inbox is in the end', async () => {
  await expectConvergence({ numRuns: 1000, maxLength: 50, timeout: 3_000_000 });
});

describe.each(DENO_PACKAGES)(
  'with notifications delivered by the function push on npm package %s',
  (deno) => {
    test('whatever is lost, doubled or late, a phone shows what the inbox is in the end', async () => {
      await expectConvergence({ numRuns: 30, maxLength: 50, timeout: 1_000_000, deno });
    });
  },
);

import { describe, expect, test } from 'vitest';
import { DENO_PACKAGES } from '../../scripts/local/edge-function.ts';
import { afterFire } from '../simulations/votes/chaos-aftermath.ts';
import { RULES } from '../simulations/votes/tally.ts';

describe.each(DENO_PACKAGES)('the upkeep function on npm package %s', (deno) => {
  test('every vote rule holds when the service is killed and Postgres crashes', {
    timeout: 180_000,
  }, async () => {
    const plan = { seed: 2, actsOfEach: 8, strikes: ['the service', 'SIGQUIT'] } as const;
    const aftermath = await afterFire(plan, deno);
    const broken = Object.entries(RULES).map(([rule, check]) => [rule, check(aftermath).slice(0, 5)]);
    expect(broken).toEqual(Object.keys(RULES).map((rule) => [rule, []]));
    expect(aftermath.history.acts.length).toBeGreaterThanOrEqual(512);
  });
});

import { describe, expect, test } from 'vitest';
import { DENO_PACKAGES } from '../../scripts/local/edge-function.ts';
import { RULES } from '../simulations/votes/rules.ts';
import { simulateCrashes } from '../simulations/votes/simulation.ts';

describe.each(DENO_PACKAGES)('the upkeep function on npm package %s', (deno) => {
  test('every vote rule holds when the service is killed and Postgres crashes', async () => {
    const plan = { seed: 2, callsPerDevice: 8, faults: ['the service', 'SIGQUIT'] } as const;
    const result = await simulateCrashes(plan, deno);
    const broken = Object.entries(RULES).map(([rule, check]) => [rule, check(result).slice(0, 5)]);
    expect(broken).toEqual(Object.keys(RULES).map((rule) => [rule, []]));
    expect(result.history.calls.length).toBeGreaterThanOrEqual(512);
  });
});

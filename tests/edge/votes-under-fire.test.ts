import { describe, expect, inject, test } from 'vitest';
import { DENO_PACKAGES } from '../../scripts/local/edge-function.ts';
import { RULES } from '../simulations/votes/rules.ts';
import { simulateCrashes } from '../simulations/votes/simulation.ts';

// The deep run takes every version, other runs the level of Supabase's Edge Runtime.
const packages = DENO_PACKAGES.slice(0, inject('depth'));

describe.each(packages)('the upkeep function on npm package %s', (deno) => {
  test('every vote rule holds when the service is killed and Postgres crashes', {
    timeout: 180_000,
  }, async () => {
    const plan = { seed: 2, callsPerDevice: 8, faults: ['the service', 'SIGQUIT'] } as const;
    const result = await simulateCrashes(plan, deno);
    const broken = Object.entries(RULES).map(([rule, check]) => [rule, check(result).slice(0, 5)]);
    expect(broken).toEqual(Object.keys(RULES).map((rule) => [rule, []]));
    expect(result.history.calls.length).toBeGreaterThanOrEqual(512);
  });
});

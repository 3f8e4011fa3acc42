import { afterAll, beforeAll, test } from 'vitest';
import { ROUTES } from '../../src/domains/all.ts';
import { fuzz } from '../simulations/fuzz/simulation.ts';
import { type FuzzWorld, startFuzzWorld } from '../simulations/fuzz/world.ts';

// tests/deep/fuzz.test.ts sends far more, by every caller.
const RUNS = 4;

let world: FuzzWorld;

beforeAll(async () => {
  world = await startFuzzWorld();
});

afterAll(() => world?.opine.stop());

test.for(ROUTES)('no odd request of $id fails, takes long or shows what is secret', async (route) =>
  fuzz(world, route, 'a Hub-ready user', RUNS),
);

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROUTES } from '../../src/domains/all.ts';
import { fuzz, problemsOfExamples } from '../simulations/fuzz/simulation.ts';
import { CALLERS, type FuzzWorld, startFuzzWorld } from '../simulations/fuzz/world.ts';
import { scaled } from '../support/depth.ts';

const RUNS = scaled(60);
const FOR_STAFF = ROUTES.filter(({ auth }) => auth === 'staff');
const FOR_PEOPLE = ROUTES.filter(({ auth }) => auth !== 'staff');

let world: FuzzWorld;

beforeAll(async () => {
  world = await startFuzzWorld();
});

afterAll(() => world?.opine.stop());

describe('every odd text in every field', () => {
  test.for(FOR_PEOPLE)('no odd text in $id fails, takes long or shows what is secret', async (route) => {
    expect(await problemsOfExamples(world, route, 'a Hub-ready user')).toEqual([]);
  });
});

describe.for(CALLERS)('random odd requests by %s', (caller) => {
  test.for(caller === 'staff' ? FOR_STAFF : ROUTES)(
    `no odd request of $id by ${caller} fails, takes long or shows what is secret`,
    async (route) => fuzz(world, route, caller, RUNS),
  );
});

describe('every odd text in every field of staff', () => {
  test.for(FOR_STAFF)('no odd text in $id fails, takes long or shows what is secret', async (route) => {
    expect(await problemsOfExamples(world, route, 'staff')).toEqual([]);
  });
});

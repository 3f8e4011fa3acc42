import { expect, test } from 'vitest';
import type { Strike } from '../simulations/votes/chaos.ts';
import { afterFire } from '../simulations/votes/chaos-aftermath.ts';
import { findingsOf } from '../simulations/votes/tally.ts';

const STRIKES: readonly Strike[] = ['the service', 'SIGKILL', 'the service', 'SIGQUIT', 'SIGQUIT', 'SIGKILL'];

test.each([11, 12, 13, 14, 15, 16])(
  'votes stay correct through six kills of the service and of Postgres (seed %i)',
  async (seed) => {
    expect(findingsOf(await afterFire({ seed, actsOfEach: 45, strikes: STRIKES }))).toEqual({});
  },
);

import { expect, test } from 'vitest';
import type { Fault } from '../simulations/votes/fault-injection.ts';
import { findingsOf } from '../simulations/votes/rules.ts';
import { simulateCrashes } from '../simulations/votes/simulation.ts';
import { sampleOf } from '../support/depth.ts';

const FAULTS: readonly Fault[] = ['the service', 'SIGKILL', 'the service', 'SIGQUIT', 'SIGQUIT', 'SIGKILL'];

test.each(sampleOf([11, 12, 13, 14, 15, 16]))(
  'votes stay correct through six kills of the service and of Postgres (seed %i)',
  async (seed) => {
    expect(findingsOf(await simulateCrashes({ seed, callsPerDevice: 45, faults: FAULTS }))).toEqual({});
  },
);

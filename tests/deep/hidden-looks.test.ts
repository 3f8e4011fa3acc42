import { test } from 'vitest';
import { expectConsistentVisibility } from '../simulations/visibility/simulation.ts';
import { scaled } from '../support/depth.ts';

test('each viewer sees a person by name everywhere or nowhere after a random history', async () => {
  await expectConsistentVisibility(scaled(60), 60);
});

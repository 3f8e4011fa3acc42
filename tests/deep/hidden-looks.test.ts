import { test } from 'vitest';
import { expectConsistentVisibility } from '../simulations/visibility/simulation.ts';

test('each viewer sees a person by name everywhere or nowhere after a random history', async () => {
  await expectConsistentVisibility(60, 60);
});

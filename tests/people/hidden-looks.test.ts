import { test } from 'vitest';
import { expectConsistentVisibility } from '../simulations/visibility/simulation.ts';

// Shrinking a history that fails takes minutes.
const timeout = 300_000;

test('after any history, each viewer sees a person named in every place or in none', {
  timeout,
}, async () => {
  await expectConsistentVisibility(8, 40);
});

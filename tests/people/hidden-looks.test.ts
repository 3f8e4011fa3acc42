import { test } from 'vitest';
import { expectTheSameLookEverywhere } from '../simulations/visibility/histories.ts';

// To make a history that fails shorter takes its time.
const timeout = 300_000;

test('after any history, a person is named in every place or in none, to each viewer', {
  timeout,
}, async () => {
  await expectTheSameLookEverywhere(8, 40);
});

import { test } from 'vitest';
import { expectTheSameLookEverywhere } from '../simulations/visibility/histories.ts';

test('after any history, a person is named in every place or in none, to each viewer', async () => {
  await expectTheSameLookEverywhere(60, 60);
});

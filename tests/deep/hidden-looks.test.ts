import { test } from 'vitest';
import { expectTheSameLookEverywhere } from '../simulations/visibility/histories.ts';

test('each viewer sees a person by name everywhere or nowhere after a random history', async () => {
  await expectTheSameLookEverywhere(60, 60);
});

import { test } from 'vitest';
import { overHttp, throughGateway } from '../simulations/membership/drivers.ts';
import { expectNoDifference } from '../simulations/membership/simulation.ts';
import { scaled } from '../support/depth.ts';

// docs/product.md H10
test('Hub memberships over HTTP match the model', async () => {
  await expectNoDifference(overHttp, scaled(60), 30);
});

test('Hub memberships through gateway.call match the model', async () => {
  await expectNoDifference(throughGateway, scaled(800), 36);
});

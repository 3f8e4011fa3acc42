import { test } from 'vitest';
import { overHttp, throughGateway } from '../simulations/membership/drivers.ts';
import { expectNoDifference } from '../simulations/membership/simulation.ts';

test('Hub memberships over HTTP match the model', async () => {
  await expectNoDifference(overHttp, 60, 30);
});

test('Hub memberships through gateway.call match the model', async () => {
  await expectNoDifference(throughGateway, 800, 36);
});

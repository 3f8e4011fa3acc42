import { test } from 'vitest';
import { overHttp, throughGateway } from '../simulations/membership/drivers.ts';
import { expectNoDifference } from '../simulations/membership/simulation.ts';

// Shrinking a failing history takes minutes.
const timeout = 300_000;

// docs/product.md H10
test('random histories of Hubs over HTTP agree with the membership model', { timeout }, async () => {
  await expectNoDifference(overHttp, 4, 30);
});

test('random histories of Hubs through the gateway agree with the membership model', {
  timeout,
}, async () => {
  await expectNoDifference(throughGateway, 40, 36);
});

import { test } from 'vitest';
import { overHttp, throughGateway } from '../simulations/feeds/drivers.ts';
import { expectNoDifference } from '../simulations/feeds/simulation.ts';
import { scaled } from '../support/depth.ts';

// The whole takes about ten minutes. Shrinking compares every read and could take hours.
const timeout = 1_500_000;

// docs/product.md F1-F12
test('posts and feeds over HTTP match the model', async () => {
  await expectNoDifference(overHttp, { numRuns: scaled(50), maxLength: 30, timeout });
});

test('posts and feeds through gateway.call match the model', async () => {
  await expectNoDifference(throughGateway, { numRuns: scaled(300), maxLength: 44, timeout });
});

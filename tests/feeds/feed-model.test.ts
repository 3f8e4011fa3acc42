import { test } from 'vitest';
import { overHttp, throughGateway } from '../simulations/feeds/drivers.ts';
import { expectNoDifference } from '../simulations/feeds/simulation.ts';

const TIMEOUT_MS = 300_000;
// Shrinking a failing history takes most of the time.
const timeout = 240_000;

// docs/product.md F1-F12
test('posts and feeds match the model over HTTP', { timeout: TIMEOUT_MS }, async () => {
  await expectNoDifference(overHttp, { numRuns: 3, maxLength: 24, rarity: 3, timeout });
});

test('posts and feeds match the model through the gateway alone', {
  timeout: TIMEOUT_MS,
}, async () => {
  await expectNoDifference(throughGateway, { numRuns: 15, maxLength: 36, rarity: 4, timeout });
});

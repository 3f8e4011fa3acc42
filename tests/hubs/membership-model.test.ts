import { test } from 'vitest';
import { overHttp, throughGateway } from '../simulations/membership/actors.ts';
import { expectNoDifference } from '../simulations/membership/histories.ts';

// To make a history that fails shorter takes its time.
const timeout = 300_000;

test('over HTTP, whatever happens in Hubs is what the model says', { timeout }, async () => {
  await expectNoDifference(overHttp, 4, 30);
});

test('through the gateway alone, whatever happens in Hubs is what the model says', { timeout }, async () => {
  await expectNoDifference(throughGateway, 40, 36);
});

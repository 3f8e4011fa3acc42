import { test } from 'vitest';
import { overHttp, throughGateway } from '../simulations/feeds/actors.ts';
import { expectNoDifference } from '../simulations/feeds/histories.ts';

test('over HTTP, posts and feeds are what the model says', async () => {
  await expectNoDifference(overHttp, { numRuns: 50, maxLength: 30 });
});

test('through the gateway alone, posts and feeds are what the model says', async () => {
  await expectNoDifference(throughGateway, { numRuns: 300, maxLength: 44 });
});

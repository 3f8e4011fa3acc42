import { test } from 'vitest';
import { overHttp, throughGateway } from '../simulations/membership/actors.ts';
import { expectNoDifference } from '../simulations/membership/histories.ts';

test('over HTTP, whatever happens in Hubs is what the model says', async () => {
  await expectNoDifference(overHttp, 60, 30);
});

test('through the gateway alone, whatever happens in Hubs is what the model says', async () => {
  await expectNoDifference(throughGateway, 800, 36);
});

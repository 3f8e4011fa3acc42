import { test } from 'vitest';
import { overHttp, throughGateway } from './builders/feed-actors.ts';
import { expectNoDifference } from './builders/feed-histories.ts';

// To make a history that fails shorter takes its time.
const timeout = 300_000;
const patience = 240_000;

test('over HTTP, posts and feeds are what the model says', { timeout }, async () => {
  await expectNoDifference(overHttp, { numRuns: 3, maxLength: 24, rarity: 3, patience });
});

test('through the gateway alone, posts and feeds are what the model says', { timeout }, async () => {
  await expectNoDifference(throughGateway, { numRuns: 15, maxLength: 36, rarity: 4, patience });
});

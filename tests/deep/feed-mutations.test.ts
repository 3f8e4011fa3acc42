import { expect, onTestFinished, test } from 'vitest';
import { type OpenFeedActor, throughGateway } from '../builders/feed-actors.ts';
import { historiesUntilADifference } from '../builders/feed-histories.ts';
import {
  ACT_MUTATIONS,
  CARD_MUTATIONS,
  FEED_MUTATIONS,
  POLICY_MUTATIONS,
  UNNOTICEABLE,
} from '../builders/feed-mutations.ts';
import { type Mutation, redefinitions } from '../builders/mutations.ts';

const OPTIONS = { numRuns: 600, maxLength: 44, seed: 4 };

async function isNoticed(actor: OpenFeedActor, mutation: Mutation): Promise<boolean> {
  const { mutate, restore } = redefinitions(mutation);
  await actor.change(mutate);
  try {
    return (await historiesUntilADifference(actor, OPTIONS)) !== null;
  } finally {
    await actor.change(restore);
  }
}

test.each([
  ['who sees what', POLICY_MUTATIONS],
  ['what feeds are made of', FEED_MUTATIONS],
  ['what is noted of what people do', ACT_MUTATIONS],
  ['what cards and lists say', CARD_MUTATIONS],
])('no clause of %s can be changed without a history that shows it', async (_, mutations) => {
  const actor = await throughGateway();
  onTestFinished(() => actor.close());
  expect(await historiesUntilADifference(actor, { ...OPTIONS, numRuns: 60 })).toBeNull();
  const survivors: Mutation[] = [];
  for (const mutation of mutations) {
    if (!(await isNoticed(actor, mutation))) survivors.push(mutation);
  }
  expect(survivors).toEqual([]);
});

test.each(UNNOTICEABLE)('what no history can show is still there: %j', (mutation) => {
  expect(redefinitions(mutation).mutate).not.toBe(redefinitions(mutation).restore);
});

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { aTown, OPEN, SLIDER, type Town, vote } from '../simulations/votes/worlds.ts';
import type { Client, Json } from '../support/client.ts';
import { place } from '../support/frames.ts';
import { granted } from '../support/graph.ts';
import { aHub, aHubPost, join, requestLeave, requestRemove } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aHubReady } from '../support/people.ts';
import { seenBy } from '../support/posts.ts';

let opine: Opine;
let town: Town;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  town = await aTown(opine);
});

/** Whether each of `viewers` is told that they can vote; nothing where they do not see `post`. */
async function told(post: Json, ...viewers: Client[]): Promise<(boolean | undefined)[]> {
  const answers: (boolean | undefined)[] = [];
  for (const viewer of viewers) answers.push((await seenBy(viewer, post))?.permissions.canVote);
  return answers;
}

test('a private post can be voted on by the members of each of its Hubs, and nobody else sees it', async () => {
  const { amara, jonas, noor, lena, maya, hub, other } = town;
  const post = await aHubPost(jonas, [hub, other], SLIDER);
  const stranger = await aHubReady(opine);
  await aHub(stranger);
  expect(await told(post, amara, jonas, noor, lena)).toEqual([true, true, true, true]);
  expect(await told(post, maya, stranger)).toEqual([undefined, undefined]);
});

test.each([
  ['private', SLIDER],
  ['for everybody as well', OPEN],
])('what is %s can be voted on by each of them until they have', async (_, fields) => {
  const { amara, jonas, noor, lena, hub, other } = town;
  const post = await aHubPost(jonas, [hub, other], fields);
  await vote(lena, post);
  await vote(jonas, post);
  expect(await told(post, amara, jonas, noor, lena)).toEqual([true, false, true, false]);
});

test('an author can vote on their private post while they are in one of its Hubs', async () => {
  const { amara, jonas, hub, other } = town;
  const post = await aHubPost(jonas, [hub, other], SLIDER);
  await granted(requestLeave(jonas, hub));
  expect(await told(post, jonas)).toEqual([true]);
  await granted(requestRemove(amara, other, jonas));
  // To be in some Hub, where the post is not, is not enough.
  const next = await aHub(jonas);
  expect(await told(post, jonas, amara)).toEqual([false, true]);
  await join(jonas, next, [amara]);
  await place(amara, post, next);
  expect(await told(post, jonas)).toEqual([true]);
});

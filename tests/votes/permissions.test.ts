import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { aTown, OPEN, SLIDER, type Town, vote } from '../simulations/votes/fixtures.ts';
import { type Client, expectOk, type Json } from '../support/client.ts';
import { aHub, aHubPost, join, requestLeave, requestRemove } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { hubReadyPerson } from '../support/people.ts';
import { seenBy, shareToHubs } from '../support/posts.ts';

let opine: Opine;
let town: Town;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  town = await aTown(opine);
});

/** Returns `canVote` for each of `viewers`; undefined if they do not see `post`. */
async function canVote(post: Json, ...viewers: Client[]): Promise<(boolean | undefined)[]> {
  const permissions: (boolean | undefined)[] = [];
  for (const viewer of viewers) permissions.push((await seenBy(viewer, post))?.permissions.canVote);
  return permissions;
}

test('canVote is true on a private post for members of each of its Hubs, and nobody else sees the post', async () => {
  const { amara, jonas, noor, lena, maya, hub, other } = town;
  const post = await aHubPost(jonas, [hub, other], SLIDER);
  const nonMember = await hubReadyPerson(opine);
  await aHub(nonMember);
  expect(await canVote(post, amara, jonas, noor, lena)).toEqual([true, true, true, true]);
  expect(await canVote(post, maya, nonMember)).toEqual([undefined, undefined]);
});

test.each([
  ['private', SLIDER],
  ['public', OPEN],
])('canVote is false on a %s post after the own vote', async (_, fields) => {
  const { amara, jonas, noor, lena, hub, other } = town;
  const post = await aHubPost(jonas, [hub, other], fields);
  await vote(lena, post);
  await vote(jonas, post);
  expect(await canVote(post, amara, jonas, noor, lena)).toEqual([true, false, true, false]);
});

test('canVote is true for the author of a private post while they are a member of one of its Hubs', async () => {
  const { amara, jonas, hub, other } = town;
  const post = await aHubPost(jonas, [hub, other], SLIDER);
  await expectOk(requestLeave(jonas, hub));
  expect(await canVote(post, jonas)).toEqual([true]);
  await expectOk(requestRemove(amara, other, jonas));
  // Membership in a Hub without the post is not enough.
  const next = await aHub(jonas);
  expect(await canVote(post, jonas, amara)).toEqual([false, true]);
  await join(jonas, next, [amara]);
  await shareToHubs(amara, post, next);
  expect(await canVote(post, jonas)).toEqual([true]);
});

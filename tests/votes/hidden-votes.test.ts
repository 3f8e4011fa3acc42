import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SLIDER, vote } from '../simulations/votes/worlds.ts';
import { type Client, type Json, refusal } from '../support/client.ts';
import { aCircle, type Circle, nonMembersOf } from '../support/discussions.ts';
import { block, granted, unblock } from '../support/graph.ts';
import { aHub, aHubPost, requestRemove } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, aHubReady, anAnonymous, aRegistered } from '../support/people.ts';
import { castVote, countsOf, distributionOf, hubVotesOf, myVote, summaryOf } from '../support/votes.ts';

let opine: Opine;
/** Amara's Hub, of which Jonas is a member. */
let circle: Circle;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  circle = await aCircle(opine);
});

const HIDDEN = refusal(404, 'POST_NOT_FOUND');

async function expectNoVotes(viewer: Client, post: Json): Promise<void> {
  for (const read of [summaryOf, distributionOf, hubVotesOf]) {
    expect(await read(viewer, post)).toMatchObject(HIDDEN);
  }
}

async function expectHidden(person: Client, post: Json): Promise<void> {
  expect(await castVote(person, post)).toMatchObject(HIDDEN);
  expect(await myVote(person, post)).toMatchObject(HIDDEN);
  await expectNoVotes(person, post);
}

describe('a post that one does not see is not there to vote on', () => {
  test('for whoever is not in its Hub', async () => {
    const { amara, hub } = circle;
    const post = await aHubPost(amara, [hub], SLIDER);
    const nonMembers = [...(await nonMembersOf(opine, amara, hub)).values(), await aRegistered(opine)];
    for (const nonMember of nonMembers) await expectHidden(nonMember, post);
    for (const viewer of [aGuest(opine), await anAnonymous(opine)]) await expectNoVotes(viewer, post);
    expect(await countsOf(amara, post)).toEqual([]);
  });

  test('for a member of another Hub, who names that', async () => {
    const { amara, hub } = circle;
    const lena = await aHubReady(opine, 'Lena');
    const [own, post] = [await aHub(lena), await aHubPost(amara, [hub], SLIDER)];
    const path = `/posts/${post.id}/vote?hubId=${own.id}`;
    expect(await lena.post(path, { position: 'left' })).toMatchObject(HIDDEN);
    for (const read of [summaryOf, distributionOf]) expect(await read(lena, post, own)).toMatchObject(HIDDEN);
    expect(await countsOf(amara, post)).toEqual([]);
  });

  test('for a member who has been removed; what they gave before stays', async () => {
    const { amara, jonas, hub } = circle;
    const [voted, post] = [await aHubPost(amara, [hub], SLIDER), await aHubPost(amara, [hub], SLIDER)];
    await vote(jonas, voted);
    await granted(requestRemove(amara, hub, jonas));
    for (const each of [voted, post]) await expectHidden(jonas, each);
    expect([await countsOf(amara, voted), await countsOf(amara, post)]).toEqual([[0, 1, 0, 0, 0], []]);
  });

  test('for a member whom its author has blocked, or who has blocked its author', async () => {
    const { amara, jonas, hub } = circle;
    const post = await aHubPost(amara, [hub], SLIDER);
    for (const [one, other] of [
      [amara, jonas],
      [jonas, amara],
    ] as const) {
      await block(one, other);
      await expectHidden(jonas, post);
      await unblock(one, other);
    }
    expect(await countsOf(amara, post)).toEqual([]);
    await vote(jonas, post);
  });

  test('when it is deleted', async () => {
    const { amara, jonas, hub } = circle;
    const post = await aHubPost(amara, [hub], SLIDER);
    await vote(jonas, post);
    await granted(amara.delete(`/posts/${post.id}`));
    for (const person of [amara, jonas]) await expectHidden(person, post);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SLIDER, vote } from '../simulations/votes/fixtures.ts';
import { type Client, expectOk, type Json, refusal } from '../support/client.ts';
import { aHubOfTwo, type HubOfTwo, nonMembersOf } from '../support/discussions.ts';
import { block, unblock } from '../support/graph.ts';
import { aHub, aHubPost, requestRemove } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, anonymousPerson, hubReadyPerson, registeredPerson } from '../support/people.ts';
import { castVote, countsOf, distributionOf, hubVotesOf, myVote, summaryOf } from '../support/votes.ts';

let opine: Opine;
/** Amara's Hub with the member Jonas. */
let circle: HubOfTwo;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  circle = await aHubOfTwo(opine);
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

describe('votes on a hidden post', () => {
  test('a non-member neither votes on a private post nor reads its votes', async () => {
    const { amara, hub } = circle;
    const post = await aHubPost(amara, [hub], SLIDER);
    const nonMembers = [...(await nonMembersOf(opine, amara, hub)).values(), await registeredPerson(opine)];
    for (const nonMember of nonMembers) await expectHidden(nonMember, post);
    for (const viewer of [aGuest(opine), await anonymousPerson(opine)]) await expectNoVotes(viewer, post);
    expect(await countsOf(amara, post)).toEqual([]);
  });

  test('a member of another Hub gets 404 with the id of their own Hub in ?hubId=', async () => {
    const { amara, hub } = circle;
    const lena = await hubReadyPerson(opine, 'Lena');
    const [own, post] = [await aHub(lena), await aHubPost(amara, [hub], SLIDER)];
    const path = `/posts/${post.id}/vote?hubId=${own.id}`;
    expect(await lena.post(path, { position: 'left' })).toMatchObject(HIDDEN);
    for (const read of [summaryOf, distributionOf]) expect(await read(lena, post, own)).toMatchObject(HIDDEN);
    expect(await countsOf(amara, post)).toEqual([]);
  });

  test('a removed member gets 404, and their earlier vote stays counted', async () => {
    const { amara, jonas, hub } = circle;
    const [voted, post] = [await aHubPost(amara, [hub], SLIDER), await aHubPost(amara, [hub], SLIDER)];
    await vote(jonas, voted);
    await expectOk(requestRemove(amara, hub, jonas));
    for (const each of [voted, post]) await expectHidden(jonas, each);
    expect([await countsOf(amara, voted), await countsOf(amara, post)]).toEqual([[0, 1, 0, 0, 0], []]);
  });

  test('a member gets 404 while a block exists between them and the author, in either direction', async () => {
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

  test('a deleted post is 404 for its author and its voters', async () => {
    const { amara, jonas, hub } = circle;
    const post = await aHubPost(amara, [hub], SLIDER);
    await vote(jonas, post);
    await expectOk(amara.delete(`/posts/${post.id}`));
    for (const person of [amara, jonas]) await expectHidden(person, post);
  });
});

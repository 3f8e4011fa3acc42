import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aTown, OPEN, poolsOf, SLIDER, vote } from '../simulations/votes/fixtures.ts';
import {
  type Client,
  clientOf,
  expectOk,
  type Json,
  NONEXISTENT,
  refusal,
  withQuery,
} from '../support/client.ts';
import { aHubOfTwo, type HubOfTwo, nonMembersOf } from '../support/discussions.ts';
import { block, unblock } from '../support/graph.ts';
import { aHub, aHubPost, aHubWorld, invalid, join, NON_MEMBERS, requestLeave } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import {
  aGuest,
  anonymousPerson,
  confirmedPerson,
  hubReadyPerson,
  registeredPerson,
} from '../support/people.ts';
import { aRepost, seenBy, shareToHubs } from '../support/posts.ts';
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

const NOT_ALLOWED = refusal(403, 'VOTE_NOT_ALLOWED');
const NOT_VOTABLE = refusal(409, 'POST_NOT_VOTABLE');

describe('the author of a private post', () => {
  test('an author may vote while they are a member of a Hub of the post and gets 403 otherwise', async () => {
    const { amara, jonas, hub } = circle;
    const second = await aHub(amara);
    await join(amara, second, [jonas]);
    const post = await aHubPost(jonas, [hub, second], SLIDER);
    const canVote = async () => (await seenBy(jonas, post)).permissions.canVote;
    await expectOk(requestLeave(jonas, hub));
    expect(await canVote()).toBe(true);
    await expectOk(requestLeave(jonas, second));
    // Membership in a Hub without the post is not enough.
    const next = await aHub(jonas);
    expect(await canVote()).toBe(false);
    expect(await castVote(jonas, post)).toMatchObject(NOT_ALLOWED);
    expect((await myVote(jonas, post)).data.hasVoted).toBe(false);
    await join(jonas, next, [amara]);
    await shareToHubs(amara, post, next);
    expect(await canVote()).toBe(true);
    await vote(jonas, post);
    expect(await canVote()).toBe(false);
    expect(await poolsOf(amara, post, hub, second, next)).toEqual([[], [], [0, 1, 0, 0, 0]]);
  });
});

test('canVote is true for members of each Hub of a private post until their own vote', async () => {
  const { amara, jonas, noor, lena, maya, hub, other } = await aTown(opine);
  const post = await aHubPost(jonas, [hub, other], SLIDER);
  const canVote = (...viewers: Client[]) =>
    Promise.all(viewers.map(async (viewer) => (await seenBy(viewer, post))?.permissions.canVote));
  expect(await canVote(amara, jonas, noor, lena, maya)).toEqual([true, true, true, true, undefined]);
  for (const voter of [jonas, lena]) await vote(voter, post);
  expect(await canVote(amara, jonas, noor, lena)).toEqual([true, false, true, false]);
});

test('a post or repost without a slider is 409 in every scope, even if its original has a slider', async () => {
  const { amara, jonas, hub } = circle;
  const source = await aHubPost(amara, [hub], OPEN);
  const inHub = { visibility: 'private_locked_hub', hubIds: [hub.id] };
  const reposts = [await aRepost(amara, source), await aRepost(amara, source, inHub)];
  for (const post of [await aHubPost(amara, [hub]), ...reposts]) {
    expect(await castVote(jonas, post)).toMatchObject(NOT_VOTABLE);
    for (const read of [myVote, summaryOf, distributionOf, hubVotesOf]) {
      expect(await read(jonas, post)).toMatchObject(NOT_VOTABLE);
    }
    expect(await summaryOf(jonas, post, hub)).toMatchObject(NOT_VOTABLE);
    expect(await distributionOf(jonas, post, hub)).toMatchObject(NOT_VOTABLE);
  }
  expect([await countsOf(amara, source), await countsOf(amara, source, hub)]).toEqual([[], []]);
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

const FORBIDDEN = refusal(403, 'FORBIDDEN');

/** Returns the paths that show the votes of a post in the requested Hub. */
const readsOf = ({ id }: Json, hubId: string) =>
  ['', '/frames', '/vote/summary', '/vote/distribution'].map((rest) =>
    withQuery(`/posts/${id}${rest}`, { hubId }),
  );

const voteIn = (voter: Client, { id }: Json, hubId: string) =>
  voter.post(withQuery(`/posts/${id}/vote`, { hubId }), { position: 'left' });

test('a non-member gets 403 for reads and votes with ?hubId= of the Hub', async () => {
  const world = await aHubWorld(opine);
  const post = await aHubPost(world.admin, [world.hub], OPEN);
  const voters = [
    await registeredPerson(opine),
    await confirmedPerson(opine),
    ...NON_MEMBERS.map((status) => world[status]),
  ];
  const viewers = [
    aGuest(opine),
    clientOf(opine.url, 'no.good.token'),
    await anonymousPerson(opine),
    ...voters,
  ];
  for (const hubId of [world.hub.id, NONEXISTENT.id]) {
    for (const viewer of viewers) {
      for (const path of readsOf(post, hubId)) expect(await viewer.get(path)).toMatchObject(FORBIDDEN);
    }
    for (const voter of voters) {
      expect(await voteIn(voter, post, hubId)).toMatchObject(FORBIDDEN);
      expect((await myVote(voter, post)).data.hasVoted).toBe(false);
    }
  }
  for (const path of readsOf(post, world.hub.id)) expect((await world.member.get(path)).status).toBe(200);
});

test('a member of one Hub of a post gets 403 for its other Hub, even as a former member', async () => {
  const { amara, jonas, lena, hub, other } = await aTown(opine);
  const post = await aHubPost(amara, [hub, other], SLIDER);
  await expectOk(requestLeave(jonas, hub));
  for (const member of [lena, jonas]) {
    for (const path of readsOf(post, other.id)) expect((await member.get(path)).status).toBe(200);
    for (const path of readsOf(post, hub.id)) expect(await member.get(path)).toMatchObject(FORBIDDEN);
    expect(await voteIn(member, post, hub.id)).toMatchObject(FORBIDDEN);
    expect((await myVote(member, post)).data.hasVoted).toBe(false);
  }
});

test('?hubId= is 422 unless it is a UUID', async () => {
  const { amara, hub } = await aHubOfTwo(opine);
  const post = await aHubPost(amara, [hub], SLIDER);
  for (const hubId of ['', 'garlic', `${NONEXISTENT.id}0`]) {
    for (const path of readsOf(post, hubId)) expect(await amara.get(path)).toMatchObject(invalid('hubId'));
    expect(await voteIn(amara, post, hubId)).toMatchObject(invalid('hubId'));
  }
  expect((await myVote(amara, post)).data.hasVoted).toBe(false);
});

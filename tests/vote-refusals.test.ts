import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aCircle, type Circle, outsidersOf } from './builders/discussions.ts';
import { aRepost, place } from './builders/frames.ts';
import { block, granted, NOBODY, unblock } from './builders/graph.ts';
import { aHub, aHubPost, askToLeave, askToRemove, join } from './builders/hubs.ts';
import { aGuest, aHubReady, anAnonymous, aPersonOf, aRegistered } from './builders/people.ts';
import { castVote, countsOf, distributionOf, hubVotesOf, myVote, summaryOf } from './builders/votes.ts';
import { type Client, type Json, refusal } from './harness/client.ts';
import { type Opine, startOpine } from './harness/opine.ts';

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

const SLIDER = { sliderText: 'Is the street too loud?' };
const HIDDEN = refusal(404, 'POST_NOT_FOUND');
const NOT_ALLOWED = refusal(403, 'VOTE_NOT_ALLOWED');
const NOT_VOTABLE = refusal(409, 'POST_NOT_VOTABLE');
const AGAIN = refusal(409, 'VOTE_ALREADY_CAST');

const readsOf = ({ id }: Json) => [
  `/posts/${id}/vote/summary`,
  `/posts/${id}/vote/distribution`,
  `/posts/${id}/vote/hubs`,
];

async function expectHidden(viewer: Client, post: Json): Promise<void> {
  expect(await castVote(viewer, post)).toMatchObject(HIDDEN);
  expect(await myVote(viewer, post)).toMatchObject(HIDDEN);
  for (const path of readsOf(post)) expect(await viewer.get(path)).toMatchObject(HIDDEN);
}

test.each([
  [0, 401, 0],
  [1, 403, 0],
  [2, 201, 1],
  [3, 201, 1],
  [4, 201, 1],
])(
  'somebody of level %i who is in no Hub is answered %i to a vote on a post for all',
  async (level, status, count) => {
    const { amara, hub } = circle;
    const post = await aHubPost(amara, [hub], { ...SLIDER, visibility: 'public_hub' });
    expect((await castVote(await aPersonOf(level, opine), post)).status).toBe(status);
    const { totalVotes } = (await summaryOf(amara, post)).data.summary;
    expect([totalVotes, await countsOf(amara, post, hub)]).toEqual([count, []]);
  },
);

describe('an author who has left the Hubs of their private post', () => {
  const LEAVING: Readonly<Record<string, () => Promise<unknown>>> = {
    'by themself': () => granted(askToLeave(circle.jonas, circle.hub)),
    'as they were removed': () => granted(askToRemove(circle.amara, circle.hub, circle.jonas)),
  };

  test.each(Object.entries(LEAVING))('%s sees it and may not vote, until they are back', async (_, leave) => {
    const { amara, jonas, hub } = circle;
    const post = await aHubPost(jonas, [hub], SLIDER);
    await leave();
    // To be in some Hub, where the post is not, is not enough.
    await aHub(jonas);
    expect(await castVote(jonas, post)).toMatchObject(NOT_ALLOWED);
    expect((await myVote(jonas, post)).data.hasVoted).toBe(false);
    expect(await countsOf(amara, post)).toEqual([]);
    await join(amara, hub, [jonas]);
    expect((await castVote(jonas, post)).status).toBe(201);
    expect(await countsOf(amara, post)).toEqual([0, 1, 0, 0, 0]);
  });

  test('votes by a Hub into which it was shared, and counts there alone', async () => {
    const { amara, jonas, hub } = circle;
    const [second, next] = [await aHub(amara), await aHub(amara)];
    await join(amara, second, [jonas]);
    const post = await aHubPost(jonas, [hub, second], SLIDER);
    for (const each of [hub, second]) await granted(askToLeave(jonas, each));
    expect(await castVote(jonas, post)).toMatchObject(NOT_ALLOWED);
    await place(amara, post, next);
    await join(amara, next, [jonas]);
    expect((await castVote(jonas, post)).status).toBe(201);
    for (const each of [hub, second]) expect(await countsOf(amara, post, each)).toEqual([]);
    expect(await countsOf(amara, post, next)).toEqual([0, 1, 0, 0, 0]);
  });
});

test('what has no slider is not voted on, in Hubs neither, whatever its source has', async () => {
  const { amara, jonas, hub } = circle;
  const source = await aHubPost(amara, [hub], { ...SLIDER, visibility: 'public_hub' });
  const inHub = { visibility: 'private_locked_hub', hubIds: [hub.id] };
  const reposts = [await aRepost(amara, source), await aRepost(amara, source, inHub)];
  for (const post of [await aHubPost(amara, [hub]), ...reposts]) {
    expect(await castVote(jonas, post)).toMatchObject(NOT_VOTABLE);
    expect(await myVote(jonas, post)).toMatchObject(NOT_VOTABLE);
    for (const path of readsOf(post)) expect(await jonas.get(path)).toMatchObject(NOT_VOTABLE);
    expect(await summaryOf(jonas, post, hub)).toMatchObject(NOT_VOTABLE);
    expect(await distributionOf(jonas, post, hub)).toMatchObject(NOT_VOTABLE);
  }
  expect([await countsOf(amara, source), await countsOf(amara, source, hub)]).toEqual([[], []]);
});

describe('a post that one does not see is not there to vote on', () => {
  test('for whoever is not in its Hub', async () => {
    const { amara, hub } = circle;
    const post = await aHubPost(amara, [hub], SLIDER);
    const outsiders = await outsidersOf(opine, amara, hub);
    for (const outsider of [...outsiders.values(), await aRegistered(opine)])
      await expectHidden(outsider, post);
    expect(await castVote(aGuest(opine), post)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    for (const viewer of [aGuest(opine), await anAnonymous(opine)]) {
      for (const path of readsOf(post)) expect(await viewer.get(path)).toMatchObject(HIDDEN);
    }
    expect(await countsOf(amara, post, hub)).toEqual([]);
  });

  test('for a member of another Hub, who names that', async () => {
    const { amara, hub } = circle;
    const lena = await aHubReady(opine, 'Lena');
    const [own, post] = [await aHub(lena), await aHubPost(amara, [hub], SLIDER)];
    const path = `/posts/${post.id}/vote?hubId=${own.id}`;
    expect(await lena.post(path, { position: 'left' })).toMatchObject(HIDDEN);
    expect(await summaryOf(lena, post, own)).toMatchObject(HIDDEN);
    expect(await countsOf(amara, post, hub)).toEqual([]);
  });

  test('for a member who has been removed; what they gave before stays', async () => {
    const { amara, jonas, hub } = circle;
    const [voted, post] = [await aHubPost(amara, [hub], SLIDER), await aHubPost(amara, [hub], SLIDER)];
    await granted(castVote(jonas, voted));
    await granted(askToRemove(amara, hub, jonas));
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
    expect((await castVote(jonas, post)).status).toBe(201);
  });

  test('when it is deleted', async () => {
    const { amara, jonas, hub } = circle;
    const post = await aHubPost(amara, [hub], SLIDER);
    await granted(castVote(jonas, post));
    await granted(amara.delete(`/posts/${post.id}`));
    for (const viewer of [amara, jonas]) await expectHidden(viewer, post);
    await expectHidden(jonas, NOBODY);
  });
});

describe('a vote is one, in all Hubs of the post together', () => {
  test('also for whoever joins another of them, or comes back', async () => {
    const { amara, jonas, hub } = circle;
    const other = await aHub(amara);
    const post = await aHubPost(amara, [hub, other], SLIDER);
    await granted(castVote(jonas, post, 'strong_left'));
    await join(amara, other, [jonas]);
    expect(await castVote(jonas, post, 'right')).toMatchObject(AGAIN);
    await granted(askToLeave(jonas, hub));
    expect(await castVote(jonas, post, 'right')).toMatchObject(AGAIN);
    await join(amara, hub, [jonas]);
    expect(await castVote(jonas, post, 'right')).toMatchObject(AGAIN);
    expect(await countsOf(amara, post, hub)).toEqual([1, 0, 0, 0, 0]);
    expect(await countsOf(amara, post, other)).toEqual([]);
  });

  test('where a member of two votes ten times at once', async () => {
    const { amara, jonas, hub } = circle;
    const other = await aHub(amara);
    await join(amara, other, [jonas]);
    const posts = [
      await aHubPost(amara, [hub, other], { ...SLIDER, visibility: 'public_hub' }),
      await aHubPost(amara, [hub, other], SLIDER),
    ];
    for (const post of posts) {
      const replies = await Promise.all(Array.from({ length: 10 }, () => castVote(jonas, post)));
      expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
      const refused = replies.filter(({ status }) => status !== 201);
      for (const reply of refused) expect(reply).toMatchObject(AGAIN);
      for (const each of [hub, other]) expect(await countsOf(amara, post, each)).toEqual([0, 1, 0, 0, 0]);
    }
    expect(await countsOf(amara, posts[0])).toEqual([0, 1, 0, 0, 0]);
  });
});

test.each([{ position: 'middle' }, { position: 2 }, {}, { position: 'left', hubId: NOBODY.id }])(
  'nothing is counted in a Hub for %j',
  async (body) => {
    const { amara, jonas, hub } = circle;
    const post = await aHubPost(amara, [hub], SLIDER);
    const reply = await jonas.post(`/posts/${post.id}/vote`, body);
    expect(reply).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
    expect((await myVote(jonas, post)).data.hasVoted).toBe(false);
    expect((await hubVotesOf(amara, post)).data.items).toMatchObject([{ summary: { totalVotes: 0 } }]);
  },
);

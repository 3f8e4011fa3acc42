import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bucketsOf, GLOBAL, OPEN, poolsOf, SLIDER, scopeOf, vote } from '../simulations/votes/worlds.ts';
import { type Client, type Json, refusal } from '../support/client.ts';
import { aCircle, type Circle } from '../support/discussions.ts';
import { votesAreFolded } from '../support/fold.ts';
import { aRepost, place } from '../support/frames.ts';
import { granted, withQuery } from '../support/graph.ts';
import { aHub, aHubPost, aMemberOf, type Hub } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aRegistered, type Person } from '../support/people.ts';
import { aSlider, seenBy } from '../support/posts.ts';
import { castVote, countsOf, hubVotesOf, myVote } from '../support/votes.ts';

let opine: Opine;
/** Amara's Hub, of which Jonas is a member; Maya is in none. */
let circle: Circle;
let maya: Person;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  circle = await aCircle(opine);
  maya = await aRegistered(opine, 'Maya');
});

const ASKED_AGAIN = { sliderText: 'Is she right?' };

const privateIn = (...hubs: Hub[]) => ({
  ...ASKED_AGAIN,
  visibility: 'private_locked_hub',
  hubIds: hubs.map(({ id }) => id),
});
const openIn = (hub: Hub) => ({ ...privateIn(hub), visibility: 'public_hub' });

/** What is counted of all votes, and in `hub`. */
const allAndIn = async (hub: Hub, viewer: Client, post: Json) => [
  await countsOf(viewer, post),
  await countsOf(viewer, post, hub),
];

/** The card of each frame of the lineage of `post`, by its id. */
async function framesBy(viewer: Client, post: Json, query: object = {}): Promise<Map<string, Json>> {
  const { items } = await granted(viewer.get(withQuery(`/posts/${post.id}/frames`, query)));
  return new Map(items.map((card: Json) => [card.id, card]));
}

describe('a repost and its source are voted on apart', () => {
  test('by all and in the Hub, where both are in the same one', async () => {
    const { amara, jonas, hub } = circle;
    const source = await aHubPost(amara, [hub], OPEN);
    const repost = await aRepost(jonas, source, openIn(hub));
    await vote(amara, source, 'left');
    await vote(maya, source, 'left');
    await vote(amara, repost, 'right');
    await vote(jonas, repost, 'strong_right');
    await votesAreFolded(opine);
    expect(await allAndIn(hub, amara, source)).toEqual([
      [0, 2, 0, 0, 0],
      [0, 1, 0, 0, 0],
    ]);
    expect(await allAndIn(hub, amara, repost)).toEqual(Array(2).fill([0, 0, 0, 1, 1]));
    expect((await myVote(maya, repost)).data.hasVoted).toBe(false);
    expect((await myVote(jonas, source)).data.hasVoted).toBe(false);
  });

  test('and each shows its own where the frames are listed, by all and in the Hub', async () => {
    const { amara, jonas, hub } = circle;
    const source = await aHubPost(amara, [hub], OPEN);
    const repost = await aRepost(jonas, source, ASKED_AGAIN);
    const bare = await aRepost(jonas, source);
    await vote(jonas, source, 'left');
    await vote(maya, source, 'neutral');
    await vote(jonas, repost, 'right');
    const nothing = { viewerVote: null, voteScope: null, voteSummary: null };
    const shown = (scope: Json, counts: number[]) => ({ voteScope: scope, voteSummary: bucketsOf(counts) });
    const inAll = await framesBy(jonas, repost);
    expect(inAll.get(source.id)).toMatchObject(shown(GLOBAL, [0, 1, 1, 0, 0]));
    expect(inAll.get(repost.id)).toMatchObject(shown(GLOBAL, [0, 0, 0, 1, 0]));
    expect(inAll.get(bare.id)).toMatchObject(nothing);
    const inHub = await framesBy(jonas, repost, { hubId: hub.id });
    expect(inHub.get(source.id)).toMatchObject(shown(scopeOf(hub), [0, 1, 0, 0, 0]));
    // The repost is not in the Hub, though its source is.
    expect(inHub.get(repost.id)).toMatchObject({ ...shown(scopeOf(hub), []), voteDistribution: [] });
    expect(inHub.get(bare.id)).toMatchObject(nothing);
  });

  test('also where one of them has no slider', async () => {
    const { amara, jonas, hub } = circle;
    const [mute, asked] = [await aHubPost(amara, [hub], { visibility: 'public_hub' }), await aSlider(amara)];
    const repost = await aRepost(jonas, mute, openIn(hub));
    const bare = await aRepost(jonas, asked, { ...privateIn(hub), sliderText: null, thoughtText: 'Look.' });
    await vote(amara, repost, 'left');
    expect(await allAndIn(hub, amara, repost)).toEqual(Array(2).fill([0, 1, 0, 0, 0]));
    for (const post of [mute, bare]) {
      expect(await castVote(amara, post)).toMatchObject(refusal(409, 'POST_NOT_VOTABLE'));
    }
    expect((await seenBy(amara, bare)).sourcePost.sliderText).toBe(asked.sliderText);
    expect(await countsOf(amara, asked)).toEqual([]);
  });
});

describe('a private repost', () => {
  test('of a public post counts in its Hub, and its source with all', async () => {
    const { amara, jonas, hub } = circle;
    const source = await aSlider(amara);
    const repost = await aRepost(jonas, source, privateIn(hub));
    await vote(amara, repost, 'strong_left');
    await vote(amara, source, 'right');
    const { voteScope, voteSummary } = await seenBy(amara, repost);
    expect([voteScope, voteSummary]).toEqual([scopeOf(hub), bucketsOf([1, 0, 0, 0, 0])]);
    // The source is not in the Hub, though its repost is.
    expect(await allAndIn(hub, amara, source)).toEqual([[0, 0, 0, 1, 0], []]);
    expect((await hubVotesOf(amara, source)).data.items).toEqual([]);
    expect(await castVote(maya, repost)).toMatchObject(refusal(404, 'POST_NOT_FOUND'));
    await vote(maya, source, 'right');
    expect(await countsOf(amara, repost, hub)).toEqual([1, 0, 0, 0, 0]);
  });

  test('of a private post in two Hubs counts where it is, and not where its source is', async () => {
    const { jonas, hub } = circle;
    const [other, third] = [await aHub(jonas), await aHub(jonas)];
    const source = await aHubPost(jonas, [hub, other], SLIDER);
    const repost = await aRepost(jonas, source, privateIn(hub, third));
    const lena = await aMemberOf(opine, jonas, third, 'Lena');
    await vote(jonas, repost, 'left');
    await vote(lena, repost, 'right');
    expect(await castVote(lena, source)).toMatchObject(refusal(404, 'POST_NOT_FOUND'));
    expect(await poolsOf(jonas, repost, hub, third, other)).toEqual([[0, 1, 0, 0, 0], [0, 1, 0, 1, 0], []]);
    expect(await poolsOf(jonas, source, hub, other)).toEqual([[], []]);
  });
});

test('a public repost that is shared into a Hub counts there, and its source does not', async () => {
  const { amara, jonas, hub } = circle;
  const source = await aSlider(amara);
  const repost = await aRepost(jonas, source, ASKED_AGAIN);
  await place(amara, repost, hub);
  for (const post of [source, repost]) await vote(jonas, post, 'left');
  expect(await allAndIn(hub, amara, repost)).toEqual(Array(2).fill([0, 1, 0, 0, 0]));
  expect(await allAndIn(hub, amara, source)).toEqual([[0, 1, 0, 0, 0], []]);
});

test('the votes of a repost stay when its source is deleted, and more may come', async () => {
  const { amara, jonas, hub } = circle;
  const source = await aHubPost(amara, [hub], OPEN);
  const repost = await aRepost(jonas, source, openIn(hub));
  await vote(jonas, repost, 'left');
  await granted(amara.delete(`/posts/${source.id}`));
  await vote(amara, repost, 'right');
  expect(await allAndIn(hub, amara, repost)).toEqual(Array(2).fill([0, 1, 0, 1, 0]));
});

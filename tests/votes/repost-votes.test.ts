import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bucketsOf, GLOBAL, OPEN, poolsOf, SLIDER, scopeOf, vote } from '../simulations/votes/fixtures.ts';
import { type Client, expectOk, type Json, refusal, withQuery } from '../support/client.ts';
import { aHubOfTwo, type HubOfTwo } from '../support/discussions.ts';
import { aHub, aHubPost, aMemberOf, type Hub } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { type Person, registeredPerson } from '../support/people.ts';
import { aRepost, aSlider, seenBy, shareToHubs } from '../support/posts.ts';
import { castVote, countsOf, hubVotesOf, myVote } from '../support/votes.ts';
import { foldAllVotes } from '../support/worker.ts';

let opine: Opine;
/** Amara's Hub with the member Jonas; Maya is in no Hub. */
let circle: HubOfTwo;
let maya: Person;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  circle = await aHubOfTwo(opine);
  maya = await registeredPerson(opine, 'Maya');
});

const OWN_SLIDER = { sliderText: 'Is she right?' };

const privateIn = (...hubs: Hub[]) => ({
  ...OWN_SLIDER,
  visibility: 'private_locked_hub',
  hubIds: hubs.map(({ id }) => id),
});
const openIn = (hub: Hub) => ({ ...privateIn(hub), visibility: 'public_hub' });

/** Returns the global counts and those of `hub`. */
const globalAndIn = async (hub: Hub, viewer: Client, post: Json) => [
  await countsOf(viewer, post),
  await countsOf(viewer, post, hub),
];

/** Returns the cards of the original of `post` and its reposts, by id. */
async function framesBy(viewer: Client, post: Json, query: object = {}): Promise<Map<string, Json>> {
  const { items } = await expectOk(viewer.get(withQuery(`/posts/${post.id}/frames`, query)));
  return new Map(items.map((card: Json) => [card.id, card]));
}

describe('votes on a repost and its original', () => {
  test('a repost and its original in one Hub have separate global and Hub votes', async () => {
    const { amara, jonas, hub } = circle;
    const source = await aHubPost(amara, [hub], OPEN);
    const repost = await aRepost(jonas, source, openIn(hub));
    await vote(amara, source, 'left');
    await vote(maya, source, 'left');
    await vote(amara, repost, 'right');
    await vote(jonas, repost, 'strong_right');
    await foldAllVotes(opine);
    expect(await globalAndIn(hub, amara, source)).toEqual([
      [0, 2, 0, 0, 0],
      [0, 1, 0, 0, 0],
    ]);
    expect(await globalAndIn(hub, amara, repost)).toEqual(Array(2).fill([0, 0, 0, 1, 1]));
    expect((await myVote(maya, repost)).data.hasVoted).toBe(false);
    expect((await myVote(jonas, source)).data.hasVoted).toBe(false);
  });

  test('GET /posts/{postId}/frames shows the own votes of each frame, global and in the Hub', async () => {
    const { amara, jonas, hub } = circle;
    const source = await aHubPost(amara, [hub], OPEN);
    const repost = await aRepost(jonas, source, OWN_SLIDER);
    const bare = await aRepost(jonas, source);
    await vote(jonas, source, 'left');
    await vote(maya, source, 'neutral');
    await vote(jonas, repost, 'right');
    const noVotes = { viewerVote: null, voteScope: null, voteSummary: null };
    const shown = (scope: Json, counts: number[]) => ({ voteScope: scope, voteSummary: bucketsOf(counts) });
    const global = await framesBy(jonas, repost);
    expect(global.get(source.id)).toMatchObject(shown(GLOBAL, [0, 1, 1, 0, 0]));
    expect(global.get(repost.id)).toMatchObject(shown(GLOBAL, [0, 0, 0, 1, 0]));
    expect(global.get(bare.id)).toMatchObject(noVotes);
    const inHub = await framesBy(jonas, repost, { hubId: hub.id });
    expect(inHub.get(source.id)).toMatchObject(shown(scopeOf(hub), [0, 1, 0, 0, 0]));
    // The repost is not in the Hub, though its source is.
    expect(inHub.get(repost.id)).toMatchObject({ ...shown(scopeOf(hub), []), voteDistribution: [] });
    expect(inHub.get(bare.id)).toMatchObject(noVotes);
  });

  test('votes count on the frame with a slider only', async () => {
    const { amara, jonas, hub } = circle;
    const [plain, slider] = [
      await aHubPost(amara, [hub], { visibility: 'public_hub' }),
      await aSlider(amara),
    ];
    const repost = await aRepost(jonas, plain, openIn(hub));
    const bare = await aRepost(jonas, slider, { ...privateIn(hub), sliderText: null, thoughtText: 'Look.' });
    await vote(amara, repost, 'left');
    expect(await globalAndIn(hub, amara, repost)).toEqual(Array(2).fill([0, 1, 0, 0, 0]));
    for (const post of [plain, bare]) {
      expect(await castVote(amara, post)).toMatchObject(refusal(409, 'POST_NOT_VOTABLE'));
    }
    expect((await seenBy(amara, bare)).sourcePost.sliderText).toBe(slider.sliderText);
    expect(await countsOf(amara, slider)).toEqual([]);
  });
});

describe('a private repost', () => {
  test('a private repost of a public post has votes in its Hub only, its original global votes only', async () => {
    const { amara, jonas, hub } = circle;
    const source = await aSlider(amara);
    const repost = await aRepost(jonas, source, privateIn(hub));
    await vote(amara, repost, 'strong_left');
    await vote(amara, source, 'right');
    const { voteScope, voteSummary } = await seenBy(amara, repost);
    expect([voteScope, voteSummary]).toEqual([scopeOf(hub), bucketsOf([1, 0, 0, 0, 0])]);
    // The source is not in the Hub, though its repost is.
    expect(await globalAndIn(hub, amara, source)).toEqual([[0, 0, 0, 1, 0], []]);
    expect((await hubVotesOf(amara, source)).data.items).toEqual([]);
    expect(await castVote(maya, repost)).toMatchObject(refusal(404, 'POST_NOT_FOUND'));
    await vote(maya, source, 'right');
    expect(await countsOf(amara, repost, hub)).toEqual([1, 0, 0, 0, 0]);
  });

  test('a private repost of a private post has votes in its own Hubs and not in those of its original', async () => {
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

test('a vote on a shared repost counts in the Hub, and a vote on its original does not', async () => {
  const { amara, jonas, hub } = circle;
  const source = await aSlider(amara);
  const repost = await aRepost(jonas, source, OWN_SLIDER);
  await shareToHubs(amara, repost, hub);
  for (const post of [source, repost]) await vote(jonas, post, 'left');
  expect(await globalAndIn(hub, amara, repost)).toEqual(Array(2).fill([0, 1, 0, 0, 0]));
  expect(await globalAndIn(hub, amara, source)).toEqual([[0, 1, 0, 0, 0], []]);
});

test('a repost keeps its votes and accepts new ones after the deletion of its original', async () => {
  const { amara, jonas, hub } = circle;
  const source = await aHubPost(amara, [hub], OPEN);
  const repost = await aRepost(jonas, source, openIn(hub));
  await vote(jonas, repost, 'left');
  await expectOk(amara.delete(`/posts/${source.id}`));
  await vote(amara, repost, 'right');
  expect(await globalAndIn(hub, amara, repost)).toEqual(Array(2).fill([0, 1, 0, 1, 0]));
});

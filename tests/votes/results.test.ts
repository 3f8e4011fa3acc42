import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  aTown,
  bucketsOf,
  GLOBAL,
  OPEN,
  positionsOf,
  SLIDER,
  scopeOf,
  type Town,
  vote,
} from '../simulations/votes/fixtures.ts';
import {
  type Client,
  expectOk,
  type Json,
  MALFORMED_IDS,
  NONEXISTENT,
  refusal,
  withQuery,
} from '../support/client.ts';
import { aHub, aHubPost, type Hub, join, requestChange, requestLeave } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, anonymousPerson } from '../support/people.ts';
import {
  aRepost,
  aSlider,
  aThought,
  requestSavePost,
  seenBy,
  shareToFeed,
  shareToHubs,
} from '../support/posts.ts';
import { castVote, countsOf, distributionOf, hubVotesOf, summaryOf } from '../support/votes.ts';
import { foldAllVotes } from '../support/worker.ts';

let opine: Opine;
let town: Town;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  town = await aTown(opine);
});

/** Expected scope and counts of a post, with `?hubId=` of `hub` if set, also on its card in each of `lists`. */
interface Shown {
  readonly scope: Json;
  readonly counts: number[];
  readonly hub?: Hub;
  readonly lists?: string[];
}

const inHub = (hub: Hub, counts: number[]): Shown => ({ scope: scopeOf(hub), counts });
const feedOf = ({ id }: Hub) => `/hubs/${id}/feed`;

async function expectShown(viewer: Client, post: Json, { scope, counts, hub, lists = [] }: Shown) {
  const query = hub === undefined ? {} : { hubId: hub.id };
  const [summary, distribution] = [bucketsOf(counts), positionsOf(counts)];
  const cards = new Map([['', await expectOk(viewer.get(withQuery(`/posts/${post.id}`, query)))]]);
  for (const path of [`/posts/${post.id}/frames`, ...lists]) {
    const { items } = await expectOk(viewer.get(withQuery(path, path.startsWith('/posts') ? query : {})));
    cards.set(
      path,
      items.find(({ id }: Json) => id === post.id),
    );
  }
  for (const [path, card] of cards) {
    const shown = [path, card?.voteScope, card?.voteSummary, card?.voteDistribution];
    expect(shown).toEqual([path, scope, summary, card?.viewerVote.hasVoted ? distribution : undefined]);
  }
  const { totalVotes } = summary;
  const postId = post.id;
  expect(await expectOk(summaryOf(viewer, post, hub))).toEqual({ postId, scope, summary });
  expect(await expectOk(distributionOf(viewer, post, hub))).toEqual({
    postId,
    scope,
    totalVotes,
    distribution,
  });
}

describe('a public post in a Hub', () => {
  test.each(['shared into', 'published into'])(
    'a post that was %s a Hub shows global votes, and the votes of the Hub in the Hub',
    async (way) => {
      const { amara, jonas, maya, hub, other } = town;
      const post = await (way === 'published into' ? aHubPost(amara, [hub], OPEN) : aSlider(amara));
      if (way === 'shared into') await shareToHubs(jonas, post, hub);
      await expectShown(aGuest(opine), post, { scope: GLOBAL, counts: [] });
      await vote(jonas, post, 'strong_left');
      await vote(maya, post, 'right');
      const all = { scope: GLOBAL, counts: [1, 0, 0, 1, 0] };
      const own = inHub(hub, [1, 0, 0, 0, 0]);
      // A non-voter and a voter, both members of the Hub.
      for (const viewer of [amara, jonas]) {
        await expectShown(viewer, post, { ...all, lists: ['/posts'] });
        await expectShown(viewer, post, { ...own, hub, lists: ['/posts', feedOf(hub)] });
        // The post is not in this Hub of the viewers.
        await expectShown(viewer, post, { ...inHub(other, []), hub: other });
      }
      for (const viewer of [aGuest(opine), await anonymousPerson(opine), maya]) {
        await expectShown(viewer, post, all);
      }
    },
  );
});

describe('a private post', () => {
  test('the displayed scope is the Hub of the viewer that had the post first', async () => {
    const { amara, jonas, noor, lena, hub, other } = town;
    const post = await aHubPost(amara, [other, await aHub(amara)], SLIDER);
    // The order of placement decides, not the age of the Hub.
    await shareToHubs(amara, post, hub);
    await vote(jonas, post, 'left');
    await vote(lena, post, 'neutral');
    await vote(noor, post, 'strong_right');
    const first = { ...inHub(other, [0, 1, 1, 0, 0]), lists: ['/posts', feedOf(other)] };
    const second = { ...inHub(hub, [0, 1, 0, 0, 1]), lists: ['/posts', feedOf(hub)] };
    for (const viewer of [jonas, lena, amara]) await expectShown(viewer, post, first);
    await expectShown(noor, post, second);
    await expectShown(jonas, post, { ...second, hub });
    await expectShown(jonas, post, { ...first, hub: other });
    await expectOk(requestLeave(jonas, other));
    await expectShown(jonas, post, second);
    await join(amara, other, [jonas]);
    await expectShown(jonas, post, first);
  });

  test('the card shows the scope of the earliest Hub among saved posts and in a profile feed', async () => {
    const { amara, jonas, lena, hub, other } = town;
    const post = await aHubPost(amara, [other, hub], SLIDER);
    await vote(lena, post, 'right');
    await shareToFeed(jonas, post);
    await expectOk(requestSavePost(lena, post));
    const lists = ['/users/me/saved-posts', `/users/${jonas.id}/feed`];
    await expectShown(lena, post, { ...inHub(other, [0, 0, 0, 1, 0]), lists });
  });

  test('an author who left the Hubs of a private post sees no results, not even with an own vote', async () => {
    const { amara, jonas, hub } = town;
    const [voted, post] = [await aHubPost(jonas, [hub], SLIDER), await aHubPost(jonas, [hub], SLIDER)];
    await vote(jonas, voted, 'left');
    for (const each of [voted, post]) await vote(amara, each, 'right');
    await expectOk(requestLeave(jonas, hub));
    for (const each of [voted, post]) await expectShown(jonas, each, { scope: GLOBAL, counts: [] });
    expect((await seenBy(jonas, voted)).voteDistribution).toEqual([]);
    await expectShown(amara, voted, { ...inHub(hub, [0, 1, 0, 1, 0]), lists: ['/posts'] });
  });
});

test('the response to a vote has the summary of the displayed scope, or of the requested Hub', async () => {
  const { amara, jonas, lena, maya, hub, other } = town;
  /** Returns the response to a vote of `voter`, with `?hubId=` of `of` if one is passed. */
  const responseTo = (voter: Client, { id }: Json, of?: Hub) =>
    expectOk(
      voter.post(withQuery(`/posts/${id}/vote`, of === undefined ? {} : { hubId: of.id }), {
        position: 'left',
      }),
    );
  const open = await aHubPost(amara, [hub], OPEN);
  const locked = await aHubPost(amara, [other, await aHub(amara)], SLIDER);
  await shareToHubs(amara, locked, hub);
  const response = ({ id }: Json, ...counts: number[]) => ({ postId: id, summary: bucketsOf(counts) });
  expect(await responseTo(maya, open)).toEqual(response(open, 0, 1, 0, 0, 0));
  expect(await responseTo(jonas, open)).toEqual(response(open, 0, 2, 0, 0, 0));
  expect(await responseTo(amara, open, hub)).toEqual(response(open, 0, 2, 0, 0, 0));
  // The post is not in the Hub that Lena requests.
  expect(await responseTo(lena, open, other)).toEqual(response(open));
  await vote(lena, locked);
  expect(await responseTo(jonas, locked)).toEqual(response(locked, 0, 2, 0, 0, 0));
  expect(await responseTo(amara, locked, hub)).toEqual(response(locked, 0, 2, 0, 0, 0));
});

const itemsFor = async (viewer: Client, post: Json) => (await expectOk(hubVotesOf(viewer, post))).items;
const hubsFor = async (viewer: Client, post: Json): Promise<string[]> =>
  (await itemsFor(viewer, post)).map(({ hub }: Json) => hub.id);

/** Returns the expected item of `hub` with these counts by position; none means no votes. */
const itemOf = ({ id, name }: Json, counts: number[]) => ({
  hub: { id, name },
  summary: bucketsOf(counts),
  distribution: positionsOf(counts),
});

describe('GET /posts/{postId}/vote/hubs', () => {
  test('a member reads the votes of each own Hub, under its present name, before and after a fold', async () => {
    const { amara, noor, lena, hub, other } = town;
    const post = await aHubPost(amara, [hub, other], SLIDER);
    await vote(noor, post, 'strong_left');
    await vote(lena, post, 'neutral');
    await vote(amara, post, 'right');
    await expectOk(requestChange(amara, other, { name: 'Ash Street' }));
    const inHub = itemOf(hub, [1, 0, 0, 1, 0]);
    const inOther = itemOf({ ...other, name: 'Ash Street' }, [0, 0, 1, 1, 0]);
    const items = hub.id < other.id ? [inHub, inOther] : [inOther, inHub];
    const check = async () => {
      const { status, data } = await hubVotesOf(amara, post);
      expect([status, data]).toEqual([200, { postId: post.id, items }]);
      // Members of one Hub see nothing of the other.
      expect((await hubVotesOf(noor, post)).data).toEqual({ postId: post.id, items: [inHub] });
      expect((await hubVotesOf(lena, post)).data).toEqual({ postId: post.id, items: [inOther] });
    };
    await check();
    await foldAllVotes(opine);
    await check();
  });

  test('a Hub is listed while the post is in it and the viewer is a member', async () => {
    const { amara, noor, maya, other } = town;
    const post = await aSlider(amara);
    await vote(maya, post, 'left');
    expect(await itemsFor(amara, post)).toEqual([]);
    await shareToHubs(amara, post, other);
    await vote(amara, post, 'right');
    expect([await hubsFor(amara, post), await hubsFor(noor, post)]).toEqual([[other.id], []]);
    await join(amara, other, [noor]);
    expect(await itemsFor(noor, post)).toEqual([itemOf(other, [0, 0, 0, 1, 0])]);
    await expectOk(requestLeave(noor, other));
    expect(await itemsFor(noor, post)).toEqual([]);
  });

  test('a post without a slider is 409 and an unknown id is 404', async () => {
    const { amara } = town;
    const thought = await aThought(amara);
    for (const viewer of [amara, aGuest(opine)]) {
      expect(await hubVotesOf(viewer, thought)).toMatchObject(refusal(409, 'POST_NOT_VOTABLE'));
    }
    for (const id of [NONEXISTENT.id, ...MALFORMED_IDS]) {
      expect(await hubVotesOf(amara, { id })).toMatchObject(refusal(404, 'POST_NOT_FOUND'));
    }
  });
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
  test('GET /posts/{postId}/frames shows the own votes of each frame, global and in the Hub', async () => {
    const { maya, amara, jonas, hub } = town;
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
});

describe('a private repost', () => {
  test('a private repost of a public post has votes in its Hub only, its original global votes only', async () => {
    const { maya, amara, jonas, hub } = town;
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
});

test('a repost keeps its votes and accepts new ones after the deletion of its original', async () => {
  const { amara, jonas, hub } = town;
  const source = await aHubPost(amara, [hub], OPEN);
  const repost = await aRepost(jonas, source, openIn(hub));
  await vote(jonas, repost, 'left');
  await expectOk(amara.delete(`/posts/${source.id}`));
  await vote(amara, repost, 'right');
  expect(await globalAndIn(hub, amara, repost)).toEqual(Array(2).fill([0, 1, 0, 1, 0]));
});

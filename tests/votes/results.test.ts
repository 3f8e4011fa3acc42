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
import { type Client, expectOk, type Json, withQuery } from '../support/client.ts';
import { aHub, aHubPost, type Hub, join, requestChange, requestLeave } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, anonymousPerson } from '../support/people.ts';
import { aRepost, aSlider, requestSavePost, shareToFeed, shareToHubs } from '../support/posts.ts';
import { distributionOf, hubVotesOf, summaryOf } from '../support/votes.ts';
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
const SEARCH = '/search/posts';

async function expectShown(viewer: Client, post: Json, { scope, counts, hub, lists = [] }: Shown) {
  const query = hub === undefined ? {} : { hubId: hub.id };
  const [summary, distribution] = [bucketsOf(counts), positionsOf(counts)];
  const cards = new Map([['', await expectOk(viewer.get(withQuery(`/posts/${post.id}`, query)))]]);
  for (const path of [`/posts/${post.id}/frames`, ...lists]) {
    const search = path === SEARCH ? { q: 'loud' } : {};
    const takesHub = path === SEARCH || path.startsWith('/posts');
    const { items } = await expectOk(viewer.get(withQuery(path, { ...search, ...(takesHub && query) })));
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
  // docs/product.md V11
  test.each(['shared into', 'published into'])(
    'a post that was %s a Hub shows global votes, and the votes of the Hub in the Hub',
    async (way) => {
      const { amara, jonas, maya, hub, other } = town;
      const post = await (way === 'published into' ? aHubPost(amara, [hub], OPEN) : aSlider(amara, SLIDER));
      if (way === 'shared into') await shareToHubs(jonas, post, hub);
      await expectShown(aGuest(opine), post, { scope: GLOBAL, counts: [] });
      await vote(jonas, post, 'strong_left');
      await vote(maya, post, 'right');
      const all = { scope: GLOBAL, counts: [1, 0, 0, 1, 0] };
      const own = inHub(hub, [1, 0, 0, 0, 0]);
      // A non-voter and a voter, both members of the Hub.
      for (const viewer of [amara, jonas]) {
        await expectShown(viewer, post, { ...all, lists: ['/posts', SEARCH] });
        await expectShown(viewer, post, { ...own, hub, lists: ['/posts', feedOf(hub), SEARCH] });
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
  // docs/product.md V11
  test('the displayed scope is the Hub of the viewer that had the post first', async () => {
    const { amara, jonas, noor, lena, hub, other } = town;
    const post = await aHubPost(amara, [other, await aHub(amara)], SLIDER);
    // The order of placement decides, not the age of the Hub.
    await shareToHubs(amara, post, hub);
    await vote(jonas, post, 'left');
    await vote(lena, post, 'neutral');
    await vote(noor, post, 'strong_right');
    const first = { ...inHub(other, [0, 1, 1, 0, 0]), lists: ['/posts', feedOf(other), SEARCH] };
    await shareToFeed(jonas, post);
    await expectOk(requestSavePost(lena, post));
    const saved = { ...first, lists: ['/users/me/saved-posts', `/users/${jonas.id}/feed`] };
    await expectShown(lena, post, saved);
    const second = { ...inHub(hub, [0, 1, 0, 0, 1]), lists: ['/posts', feedOf(hub), SEARCH] };
    for (const viewer of [jonas, lena, amara]) await expectShown(viewer, post, first);
    await expectShown(noor, post, second);
    await expectShown(jonas, post, { ...second, hub });
    await expectShown(jonas, post, { ...first, hub: other });
    await expectOk(requestLeave(jonas, other));
    await expectShown(jonas, post, second);
    await join(amara, other, [jonas]);
    await expectShown(jonas, post, first);
  });
});

/** Returns the expected item of `hub` with these counts by position; none means no votes. */
const itemOf = ({ id, name }: Json, counts: number[]) => ({
  hub: { id, name },
  summary: bucketsOf(counts),
  distribution: positionsOf(counts),
});

describe('GET /posts/{postId}/vote/hubs', () => {
  // docs/product.md V14
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
});

const OWN_SLIDER = { sliderText: 'Is she right?' };

/** Returns the cards of the original of `post` and its reposts, by id. */
async function framesBy(viewer: Client, post: Json, query: object = {}): Promise<Map<string, Json>> {
  const { items } = await expectOk(viewer.get(withQuery(`/posts/${post.id}/frames`, query)));
  return new Map(items.map((card: Json) => [card.id, card]));
}

describe('votes on a repost and its original', () => {
  // docs/product.md V10
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

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
import { aHub, aHubPost, type Hub, join, requestLeave } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, anonymousPerson } from '../support/people.ts';
import { aSlider, requestSavePost, seenBy, shareToFeed, shareToHubs } from '../support/posts.ts';
import { distributionOf, summaryOf } from '../support/votes.ts';

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

  test('the displayed scope is the target Hub with the lower id', async () => {
    const { amara, jonas, hub, other } = town;
    const [first = hub, second = other] = [hub, other].toSorted((a, b) => (a.id < b.id ? -1 : 1));
    for (const hubs of [
      [first, second],
      [second, first],
    ]) {
      const post = await aHubPost(amara, hubs, SLIDER);
      expect([post.voteScope, post.voteSummary]).toEqual([scopeOf(first), bucketsOf([])]);
      await vote(jonas, post, 'left');
      await expectShown(jonas, post, { ...inHub(first, [0, 1, 0, 0, 0]), lists: ['/posts'] });
    }
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

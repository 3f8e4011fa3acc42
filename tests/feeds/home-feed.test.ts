import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { allPages, clientOf, expectOk, idsOf, type Json, newestFirst } from '../support/client.ts';
import {
  ACTIVITIES,
  addToDefaultFeed,
  aFeedWithHiddenPosts,
  homeFeed,
  homePage,
  homePages,
  reasonFor,
  reasonsIn,
  trendingFor,
} from '../support/feeds.ts';
import { block, follow, unfollow } from '../support/graph.ts';
import { aHub, aHubPost, aMemberOf, type Hub, join, requestLeave, requestRemove } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, confirmedPerson, hubReadyPerson, type Person, registeredPerson } from '../support/people.ts';
import {
  aComment,
  aSlider,
  aThought,
  requestCommentDeletion,
  seenBy,
  shareToFeed,
  shareToHubs,
} from '../support/posts.ts';
import { castVote } from '../support/votes.ts';
import { waitUntilDeleted } from '../support/worker.ts';

let opine: Opine;
let amara: Person;
let jonas: Person;
let lena: Person;
let noor: Person;
let unrelated: Person;
let hub: Hub;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

/** Jonas is an admin of Amara's Hub, and Lena follows Noor. */
beforeEach(async () => {
  amara = await hubReadyPerson(opine, 'Amara');
  hub = await aHub(amara);
  jonas = await aMemberOf(opine, amara, hub, 'Jonas', 'admin');
  [lena, noor] = [await hubReadyPerson(opine, 'Lena'), await hubReadyPerson(opine, 'Noor')];
  unrelated = await hubReadyPerson(opine, 'Unrelated');
  await follow(lena, noor);
});

// docs/product.md F3, F10
test('the default feed holds cards of default feed users, with voteDistribution for voters only', async () => {
  const author = await confirmedPerson(opine, 'Chosen');
  await addToDefaultFeed(opine, author);
  const [chosen, voter] = [await aSlider(author), await registeredPerson(opine)];
  await expectOk(castVote(voter, chosen));
  const { permissions: _, ...card } = await seenBy(voter, chosen);
  const { items } = await homePage(voter);
  expect(items).toEqual([{ ...card, feedContext: 'default_feed_user' }]);
  expect(items[0].voteDistribution).toHaveLength(5);
  for (const viewer of [aGuest(opine), clientOf(opine.url, 'no.good.token')]) {
    const { voteDistribution: _, ...shown } = items[0];
    const viewerVote = { hasVoted: false, votedAt: null };
    expect((await homePage(viewer)).items).toEqual([{ ...shown, viewerVote }]);
  }
});

// docs/product.md F4, F5
test.each([
  ['a followed person', () => noor],
  ['a co-member', () => jonas],
])('each kind of activity of %s brings posts to the top, again too', async (_, friend) => {
  await join(amara, hub, [lena]);
  const [old, foreign] = [await aSlider(amara), await aSlider(unrelated)];
  for (const perform of Object.values(ACTIVITIES)) {
    for (const post of [foreign, old]) {
      const { sourcePostId, id } = await perform(friend(), post);
      // A repost is a frame of its own above its original.
      const frames = sourcePostId === post.id ? [id, post.id] : [post.id];
      expect((await homeFeed(lena)).slice(0, frames.length)).toEqual(frames);
    }
  }
  expect(await reasonFor(lena, foreign)).toBe('friend_interaction');
});

// docs/product.md F9, F1
test('an own share adds a post that nothing else brings, at its own time, and moves no other', async () => {
  const [early, late] = [await aThought(unrelated), await aThought(unrelated)];
  const old = await aSlider(jonas);
  await shareToHubs(amara, early, hub);
  const own = await aThought(amara);
  await shareToHubs(amara, late, hub);
  await shareToHubs(amara, old, hub);
  expect(await homeFeed(amara)).toEqual([late.id, own.id, early.id, old.id]);
  expect((await homeFeed(jonas))[0]).toBe(old.id);
  for (const viewer of [amara, jonas]) expect(await reasonFor(viewer, early)).toBe('shared_to_hub');
  await shareToHubs(jonas, early, hub);
  expect((await homeFeed(amara))[0]).toBe(early.id);
});

// docs/product.md F7
test('a share into a Hub of others neither adds, moves nor ranks a post', async () => {
  const [foreign, old, late] = [await aThought(unrelated), await aThought(noor), await aThought(noor)];
  await aComment(amara, late);
  const feeds = async () => [await homeFeed(lena), await trendingFor(lena)];
  const before = await feeds();
  expect(before).toEqual([
    [late.id, old.id],
    [late.id, old.id],
  ]);
  await join(amara, hub, [noor]);
  for (const sharer of [noor, jonas]) {
    await shareToHubs(sharer, foreign, hub);
    await shareToHubs(sharer, old, hub);
  }
  expect(await feeds()).toEqual(before);
});

// docs/product.md F7
test('a private post is in the feeds of members of its Hubs alone, where nothing that friends do moves it', async () => {
  const other = await aHub(amara);
  await join(amara, hub, [noor]);
  const post = await aHubPost(amara, [hub, other], { sliderText: 'Is this so?' });
  const late = await aThought(noor);
  await expectOk(castVote(noor, post));
  await shareToFeed(noor, post);
  expect(await homeFeed(lena)).toEqual([late.id]);
  expect(await trendingFor(lena)).toEqual([late.id]);

  await join(amara, other, [lena]);
  await shareToFeed(noor, post);
  expect(await homeFeed(lena)).toEqual([late.id, post.id]);
  expect(await reasonFor(lena, post)).toBe('joined_hub_post');
});

describe('Hub membership and the home feed', () => {
  /** Creates Hub activity between posts of Noor. Returns the posts in the order of the activity. */
  async function aHistory(): Promise<{ byNoor: Json[]; all: Json[]; locked: Json | undefined }> {
    const [liked, shared] = [await aSlider(unrelated), await aThought(unrelated)];
    const all: Json[] = [];
    const byNoor: Json[] = [];
    const activities = [
      () => aThought(jonas),
      () => aHubPost(jonas, [hub]),
      () => aComment(jonas, liked).then(() => liked),
      () => shareToHubs(jonas, shared, hub).then(() => shared),
      () => aHubPost(amara, [hub], { visibility: 'public_hub' }),
    ];
    for (const activity of activities) {
      const inHub = await activity();
      const one = await aThought(noor);
      all.push(inHub, one);
      byNoor.push(one);
    }
    return { byNoor, all, locked: all[2] };
  }

  // docs/product.md F2, F5
  test('a new member gets the earlier activity of the Hub, and its members get theirs, at its own time', async () => {
    const { byNoor, all } = await aHistory();
    expect(await homeFeed(lena)).toEqual(newestFirst(byNoor));
    await join(amara, hub, [lena]);
    expect(await homeFeed(lena)).toEqual(newestFirst(all));
    await aHubPost(noor, [await aHub(noor)]);
    await join(amara, hub, [noor]);
    expect(await homeFeed(amara)).toEqual(newestFirst(all));
  });

  const WAYS: Record<string, () => Promise<unknown>> = {
    'a member who leaves': () => expectOk(requestLeave(lena, hub)),
    'a removed member': () => expectOk(requestRemove(amara, hub, lena)),
  };

  // docs/product.md F2
  test.each(Object.entries(WAYS))(
    '%s loses the Hub activity with page one, at once what is private, and regains it by rejoining, with later posts',
    async (_, leaveHub) => {
      await join(amara, hub, [lena]);
      const { byNoor, all, locked } = await aHistory();
      const { items, nextCursor } = await homePage(lena, 3);
      expect(idsOf(items)).toEqual(newestFirst(all).slice(0, 3));
      await leaveHub();
      const since = await aHubPost(jonas, [hub]);
      expect(await homeFeed(lena)).toEqual(newestFirst(byNoor));
      const rest = await homePage(lena, 50, nextCursor);
      const left = newestFirst(all).filter((id) => !idsOf(items).includes(id) && id !== locked?.id);
      expect(idsOf(rest.items)).toEqual(left);
      await join(amara, hub, [lena]);
      expect(await homeFeed(lena)).toEqual(newestFirst([...all, since]));
    },
  );

  test('home feeds keep what a former member placed in the Hub, also after an account deletion', async () => {
    await join(amara, hub, [lena]);
    const { byNoor } = await aHistory();
    const reasons = async () => Object.values(await reasonsIn(lena)).sort();
    const before = await reasonsIn(lena);
    const placed = ['hub_co_member_author', 'shared_to_hub', ...byNoor.map(() => 'followed_author')];
    await expectOk(requestLeave(jonas, hub));
    expect(await reasons()).toEqual([...placed, 'joined_hub_post'].sort());
    await join(amara, hub, [jonas]);
    expect(await reasonsIn(lena)).toEqual(before);
    await expectOk(jonas.delete('/users/me'));
    expect(await reasons()).toEqual(placed.sort());
    await waitUntilDeleted(opine, jonas.id);
    expect(await reasons()).toEqual(placed);
  });
});

// docs/product.md F1, W5
test('pages of every size are full and return each frame once among hidden posts', async () => {
  const { viewer, frames } = await aFeedWithHiddenPosts(opine);
  for (const limit of [1, 7, 25, 26, 50]) {
    const pages = await homePages(viewer, limit);
    expect(pages.flatMap(idsOf)).toEqual(frames);
    expect(pages.slice(0, -1).every(({ length }) => length === limit)).toBe(true);
    expect(pages).toHaveLength(Math.ceil(frames.length / limit));
  }
});

// docs/product.md F2
describe('changes between two pages', () => {
  /** Jonas's operation on a post of Noor in the feed of Lena, and the change after the first page. */
  type Changes = readonly [
    operation: (post: Json) => Promise<Json>,
    change: (post: Json, result: Json) => Promise<unknown>,
  ];
  const comment = (post: Json) => aComment(jonas, post);
  const commentWhenFollowed = async (post: Json) => {
    await expectOk(requestLeave(lena, hub));
    await follow(lena, jonas);
    return aComment(jonas, post);
  };
  const CHANGES: Record<string, Changes> = {
    'new activity on the post': [comment, (post) => shareToFeed(jonas, post)],
    'a deletion of the comment by its author': [
      comment,
      (_, result) => expectOk(requestCommentDeletion(jonas, result)),
    ],
    'an account deletion of the commenter': [comment, () => expectOk(jonas.delete('/users/me'))],
    'a block of the viewer by the commenter': [comment, () => block(jonas, lena)],
    'an unfollow of the commenter': [commentWhenFollowed, () => unfollow(lena, jonas)],
    'leaving the Hub of the share': [
      (post) => shareToHubs(jonas, post, hub),
      () => expectOk(requestLeave(lena, hub)),
    ],
  };

  test.each(Object.entries(CHANGES))('%s repeats no frame on later pages', async (_, [operation, change]) => {
    await join(amara, hub, [lena]);
    const old = await aSlider(noor);
    const rest = [await aSlider(noor), await aSlider(noor), await aSlider(noor)];
    const result = await operation(old);
    const { items, nextCursor } = await homePage(lena, 1);
    expect(idsOf(items)).toEqual([old.id]);
    await change(old, result);
    const later = await allPages(lena, '/posts', { limit: 1, cursor: nextCursor });
    expect(idsOf(later.flat())).toEqual(idsOf(rest).reverse());
  });

  test.each([
    ['a share into the Hub', (post: Json) => shareToHubs(jonas, post, hub)],
    ['activity of a member', comment],
  ])('%s takes no post from later pages of a viewer who has left the Hub', async (_, operation) => {
    await join(amara, hub, [lena]);
    const [old, newer] = [await aSlider(noor), await aSlider(noor)];
    const { items, nextCursor } = await homePage(lena, 1);
    expect(idsOf(items)).toEqual([newer.id]);
    await expectOk(requestLeave(lena, hub));
    await operation(old);
    expect(idsOf((await allPages(lena, '/posts', { cursor: nextCursor })).flat())).toEqual([old.id]);
  });

  test('activity that a member repeats after the viewer left the Hub repeats no post on later pages', async () => {
    await join(amara, hub, [lena]);
    const [old, newer] = [await aSlider(noor), await aSlider(noor)];
    await comment(old);
    const { items, nextCursor } = await homePage(lena, 1);
    expect(idsOf(items)).toEqual([old.id]);
    await expectOk(requestLeave(lena, hub));
    await comment(old);
    expect(idsOf((await allPages(lena, '/posts', { cursor: nextCursor })).flat())).toEqual([newer.id]);
  });
});

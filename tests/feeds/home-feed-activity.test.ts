import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Client, expectOk, idsOf, type Json } from '../support/client.ts';
import { ACTIVITIES, homeFeed, homePages, reasonFor, reasonsIn, trendingFor } from '../support/feeds.ts';
import { follow, unfollow } from '../support/graph.ts';
import { aHub, aHubPost, type Hub, join, requestLeave, requestRemove } from '../support/hubs.ts';
import { inboxOf } from '../support/inbox.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { hubReadyPerson, type Person } from '../support/people.ts';
import {
  aComment,
  aRepost,
  aSlider,
  aThought,
  requestCommentDeletion,
  seenBy,
  shareToFeed,
  shareToHubs,
} from '../support/posts.ts';
import { castVote } from '../support/votes.ts';

let opine: Opine;
/** Lena follows Noor, is in a Hub with Jonas, and has no relation to `unrelated`. */
let lena: Person;
let noor: Person;
let jonas: Person;
let unrelated: Person;
let hub: Hub;
/** Ids of Noor's posts, newest first. */
let fresh: string;
let middle: string;
let old: string;
let posts: Record<string, Json>;

beforeAll(async () => {
  opine = await startOpine();
  unrelated = await hubReadyPerson(opine, 'Unrelated');
});

afterAll(() => opine.stop());

beforeEach(async () => {
  [lena, noor, jonas] = [
    await hubReadyPerson(opine, 'Lena'),
    await hubReadyPerson(opine, 'Noor'),
    await hubReadyPerson(opine, 'Jonas'),
  ];
  hub = await aHub(lena);
  await join(lena, hub, [jonas]);
  await follow(lena, noor);
  const published = [await aSlider(noor), await aSlider(noor), await aSlider(noor)];
  [old = '', middle = '', fresh = ''] = idsOf(published);
  posts = Object.fromEntries(published.map((post) => [post.id, post]));
});

const post = (id: string) => posts[id];
/** Returns the order of Noor's first three posts in Lena's feed. */
const order = async () => (await homeFeed(lena)).filter((id) => id in posts);

describe.each([
  ['a followed person', () => noor],
  ['a co-member', () => jonas],
])('activity of %s', (_, friend) => {
  test.each(Object.entries(ACTIVITIES))('a post moves to the top when the person %s', async (_, perform) => {
    await perform(friend(), post(old));
    expect(await order()).toEqual([old, fresh, middle]);
    await perform(friend(), post(middle));
    expect(await order()).toEqual([middle, old, fresh]);
    const foreign = await aSlider(unrelated);
    await perform(friend(), foreign);
    expect(await reasonFor(lena, foreign)).toBe('friend_interaction');
  });

  test('each repeated activity moves the post to the top', async () => {
    for (const perform of Object.values(ACTIVITIES)) {
      await perform(friend(), post(old));
      expect((await order())[0]).toBe(old);
      await shareToFeed(friend(), post(middle));
      expect((await order())[0]).toBe(middle);
    }
    const root = await aComment(friend(), post(old));
    await shareToFeed(friend(), post(middle));
    await aComment(friend(), post(old), 'Indeed.', { parentCommentId: root.id });
    expect((await order()).slice(0, 2)).toEqual([old, middle]);
  });

  test('a public repost is a frame of its own at the top', async () => {
    const repost = await aRepost(friend(), post(old));
    expect(await homeFeed(lena)).toEqual([repost.id, old, fresh, middle]);
    await aComment(friend(), repost);
    expect((await homeFeed(lena)).slice(0, 2)).toEqual([repost.id, old]);
  });
});

describe('shares into a Hub of the viewer', () => {
  test('an own share moves the post for the other members and not for the viewer', async () => {
    await shareToHubs(lena, post(old), hub);
    expect(await order()).toEqual([fresh, middle, old]);
    expect((await homeFeed(jonas))[0]).toBe(old);
  });

  test('an own share adds a post that nothing else brings, at the time of the share', async () => {
    const [next, early, late] = [await aHub(lena), await aThought(unrelated), await aThought(unrelated)];
    await shareToHubs(lena, early, hub);
    const own = await aThought(lena);
    await shareToHubs(lena, late, hub);
    expect(await homeFeed(lena)).toEqual([late.id, own.id, early.id, fresh, middle, old]);
    for (const foreign of [early, late]) {
      expect([await reasonFor(lena, foreign), await reasonFor(jonas, foreign)]).toEqual([
        'shared_to_hub',
        'shared_to_hub',
      ]);
    }
    await shareToHubs(lena, early, next);
    expect((await homeFeed(lena))[0]).toBe(early.id);
    await shareToHubs(jonas, late, hub);
    expect((await homeFeed(lena))[0]).toBe(late.id);
    await shareToHubs(lena, late, hub);
    await shareToHubs(lena, early, hub);
    expect((await homeFeed(lena)).slice(0, 2)).toEqual([late.id, early.id]);
  });

  test('an own share keeps a private post in the feed until the viewer leaves the Hub', async () => {
    const [source, target] = [await aHub(jonas), await aHub(unrelated)];
    const away = await aHub(jonas);
    await join(unrelated, target, [jonas]);
    const shareable = await aHubPost(jonas, [source, away]);
    await join(jonas, source, [lena]);
    await shareToHubs(lena, shareable, hub);
    expect(await reasonFor(lena, shareable)).toBe('joined_hub_post');
    await expectOk(requestLeave(lena, source));
    expect(await reasonFor(lena, shareable)).toBe('shared_to_hub');
    await join(lena, hub, [unrelated], 'admin');
    await expectOk(requestLeave(lena, hub));
    expect(await reasonFor(lena, shareable)).toBeUndefined();
  });

  test('a repeated share by another member moves the post up for the others and notifies nobody', async () => {
    const [noon, other] = [await hubReadyPerson(opine, 'Ines'), await aThought(unrelated)];
    await join(lena, hub, [noon]);
    await shareToHubs(jonas, other, hub);
    await aSlider(jonas);
    const before = await Promise.all([lena, noon].map((each) => homeFeed(each)));
    const unread = () =>
      Promise.all([lena, jonas, noon].map(async (each) => (await inboxOf(each)).unreadCount));
    const counts = await unread();
    await shareToHubs(jonas, other, hub);
    expect(await Promise.all([lena, noon].map((each) => homeFeed(each)))).toEqual(before);
    await shareToHubs(noon, other, hub);
    expect((await homeFeed(lena))[0]).toBe(other.id);
    expect((await homeFeed(jonas))[0]).toBe(other.id);
    expect(await homeFeed(noon)).toEqual(before[1]);
    expect(await unread()).toEqual(counts);
  });
});

describe('activity that moves no post', () => {
  test.each(Object.entries(ACTIVITIES))(
    'a post stays in place when an unrelated person %s',
    async (_, perform) => {
      await perform(unrelated, post(old));
      expect(await homeFeed(lena)).toEqual([fresh, middle, old]);
    },
  );

  test('own activity does not move an own post, and activity of a co-member does', async () => {
    const [first, second] = [await aSlider(lena), await aThought(lena)];
    await expectOk(castVote(lena, first));
    await aComment(lena, first);
    await shareToFeed(lena, first);
    expect((await homeFeed(lena)).slice(0, 2)).toEqual([second.id, first.id]);
    await aComment(jonas, first);
    expect((await homeFeed(lena)).slice(0, 2)).toEqual([first.id, second.id]);
    const repost = await aRepost(lena, first);
    await aThought(lena);
    expect((await homeFeed(lena)).slice(1, 4)).toEqual([repost.id, first.id, second.id]);
  });
});

describe('deleted activity', () => {
  test('a post falls back to its newest remaining comment', async () => {
    const first = await aComment(noor, post(old));
    await aComment(jonas, post(middle));
    const second = await aComment(noor, post(old));
    const third = await aComment(jonas, post(old));
    expect(await order()).toEqual([old, middle, fresh]);
    await expectOk(requestCommentDeletion(noor, second));
    expect(await order()).toEqual([old, middle, fresh]);
    await expectOk(requestCommentDeletion(noor, third));
    expect(await order()).toEqual([middle, old, fresh]);
    await expectOk(requestCommentDeletion(noor, first));
    expect(await order()).toEqual([middle, fresh, old]);
  });

  test('a post falls back when a comment is deleted, although its replies remain', async () => {
    const root = await aComment(jonas, post(old));
    await aComment(unrelated, post(old), 'Why?', { parentCommentId: root.id });
    await expectOk(requestCommentDeletion(jonas, root));
    expect(await order()).toEqual([fresh, middle, old]);
  });

  test('a post falls back to its newest remaining repost', async () => {
    const first = await aRepost(jonas, post(old));
    await aComment(jonas, post(middle));
    const second = await aRepost(jonas, post(old));
    await expectOk(jonas.delete(`/posts/${second.id}`));
    expect(await homeFeed(lena)).toEqual([middle, first.id, old, fresh]);
    await expectOk(jonas.delete(`/posts/${first.id}`));
    expect(await homeFeed(lena)).toEqual([middle, fresh, old]);
  });
});

describe('shares into foreign Hubs', () => {
  let hubOfJonas: Hub;
  let hubs: Hub[];

  beforeEach(async () => {
    hubOfJonas = await aHub(jonas);
    hubs = [await aHub(jonas), await aHub(jonas), await aHub(jonas)];
    await join(jonas, hubOfJonas, [noor]);
    await aComment(noor, post(middle));
  });

  /** Returns the ids on each page of a feed, for several page sizes. */
  const pages = (viewer: Client) =>
    Promise.all([1, 2, 3, 50].map(async (limit) => (await homePages(viewer, limit)).map(idsOf)));

  test('foreign shares neither add a post nor change any page', async () => {
    const foreign = await aSlider(unrelated);
    const locked = await aHubPost(jonas, [hubOfJonas, await aHub(jonas)]);
    const before = await pages(lena);
    expect(before[0]).toEqual([[middle], [fresh], [old]]);
    for (const each of [foreign, locked, post(old)]) await shareToHubs(jonas, each, ...hubs);
    await shareToHubs(noor, post(old), hubOfJonas);
    expect(await pages(lena)).toEqual(before);
    expect((await homeFeed(jonas))[0]).toBe(old);
    expect((await seenBy(lena, post(old))).hubs).toEqual([]);
  });

  test('foreign shares do not change the trending order', async () => {
    expect(await trendingFor(lena)).toEqual([middle, fresh, old]);
    await shareToHubs(jonas, post(old), ...hubs);
    expect(await trendingFor(lena)).toEqual([middle, fresh, old]);
  });
});

/** The values of `feedContext` for a post of another person, in order of precedence (docs/product.md F10). */
const REASONS = [
  'followed_author',
  'hub_co_member_author',
  'joined_hub_post',
  'friend_interaction',
  'shared_to_hub',
] as const;
type Reason = (typeof REASONS)[number];

/** Every subset of the reasons, the empty one included. */
const CHOICES = REASONS.reduce<Reason[][]>(
  (choices, reason) => choices.flatMap((chosen) => [chosen, [...chosen, reason]]),
  [[]],
);

/** Lena, a post for every subset of reasons with that subset, and the operation that ends each reason. */
interface World {
  readonly lena: Person;
  readonly posts: ReadonlyMap<string, readonly Reason[]>;
  readonly end: Readonly<Record<Reason, () => Promise<unknown>>>;
}

async function aWorld(): Promise<World> {
  const [lena, friend, sharer, unrelated, known, mate, both] = [
    await hubReadyPerson(opine, 'Lena'),
    await hubReadyPerson(opine, 'Friend'),
    await hubReadyPerson(opine, 'Sharer'),
    await hubReadyPerson(opine),
    await hubReadyPerson(opine),
    await hubReadyPerson(opine),
    await hubReadyPerson(opine),
  ];
  // A Hub in common with the authors, a Hub of targets, and a Hub of onward shares.
  const [together, target, shared] = [await aHub(lena), await aHub(lena), await aHub(lena)];
  await join(lena, together, [mate, both]);
  await join(lena, target, [unrelated, known, mate, both]);
  await join(lena, shared, [sharer], 'admin');
  await follow(lena, friend, known, both);
  const comments: Json[] = [];
  const posts = new Map<string, readonly Reason[]>();
  for (const reasons of CHOICES) {
    const has = (reason: Reason) => reasons.includes(reason);
    const pair = has('hub_co_member_author') ? [mate, both] : [unrelated, known];
    const author = pair[has('followed_author') ? 1 : 0] ?? unrelated;
    const post = has('joined_hub_post')
      ? await aHubPost(author, [target], { visibility: 'public_hub' })
      : await aThought(author);
    if (has('shared_to_hub')) await shareToHubs(sharer, post, shared);
    if (has('friend_interaction')) comments.push(await aComment(friend, post));
    posts.set(post.id, reasons);
  }
  for (const author of [unrelated, known, mate, both]) await expectOk(requestLeave(author, target));
  const end = {
    followed_author: async () => {
      for (const author of [known, both]) await unfollow(lena, author);
    },
    hub_co_member_author: async () => {
      await expectOk(requestLeave(mate, together));
      await expectOk(requestRemove(lena, together, both));
    },
    joined_hub_post: () => expectOk(requestLeave(lena, target)),
    friend_interaction: async () => {
      for (const comment of comments) await expectOk(requestCommentDeletion(friend, comment));
    },
    shared_to_hub: () => expectOk(requestLeave(lena, shared)),
  };
  return { lena, posts, end };
}

/** Returns the first reason of each post that has not ended, without the posts that have none. */
function firstReasons(posts: World['posts'], ended: readonly Reason[]): Record<string, string> {
  const first = [...posts].map(([id, reasons]) => [id, reasons.find((reason) => !ended.includes(reason))]);
  return Object.fromEntries(first.filter(([, reason]) => reason !== undefined));
}

describe('feedContext of a post with several reasons', () => {
  test.each([
    ['the last reason ends first', REASONS.toReversed()],
    ['the reasons end in mixed order', [2, 0, 3, 4, 1].flatMap((index) => REASONS[index] ?? [])],
  ])('feedContext is the first remaining reason when %s', async (_, order) => {
    const { lena, posts, end } = await aWorld();
    expect(await reasonsIn(lena)).toEqual(firstReasons(posts, []));
    for (const [index, reason] of order.entries()) {
      await end[reason]();
      expect(await reasonsIn(lena)).toEqual(firstReasons(posts, order.slice(0, index + 1)));
    }
  });
});

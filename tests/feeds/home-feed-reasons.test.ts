import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/client.ts';
import { ACTS, reasonFor, reasonsIn } from '../support/feeds.ts';
import { aComment, aRepost, place, requestCommentDeletion } from '../support/frames.ts';
import { block, follow, granted, unfollow } from '../support/graph.ts';
import { aHub, aHubPost, join, requestLeave, requestRemove } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aHubReady, type Person } from '../support/people.ts';
import { aSlider, aThought } from '../support/posts.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

/** Why a post of somebody else's may be in a feed, in the order in which the first one is told. */
const REASONS = [
  'followed_author',
  'hub_co_member_author',
  'joined_hub_post',
  'friend_interaction',
  'shared_to_hub',
] as const;
type Reason = (typeof REASONS)[number];

/** Every choice of reasons, none as well. */
const CHOICES = REASONS.reduce<Reason[][]>(
  (choices, reason) => choices.flatMap((chosen) => [chosen, [...chosen, reason]]),
  [[]],
);

/** Lena's feed with a post for every choice of reasons, the reasons of each, and how each of them ends. */
interface World {
  readonly lena: Person;
  readonly posts: ReadonlyMap<string, readonly Reason[]>;
  readonly end: Readonly<Record<Reason, () => Promise<unknown>>>;
}

async function aWorld(): Promise<World> {
  const [lena, friend, sharer, stranger, known, mate, both] = [
    await aHubReady(opine, 'Lena'),
    await aHubReady(opine, 'Friend'),
    await aHubReady(opine, 'Sharer'),
    await aHubReady(opine),
    await aHubReady(opine),
    await aHubReady(opine),
    await aHubReady(opine),
  ];
  // One where they are together, one where posts are targeted, and one into which they are shared.
  const [together, target, shared] = [await aHub(lena), await aHub(lena), await aHub(lena)];
  await join(lena, together, [mate, both]);
  await join(lena, target, [stranger, known, mate, both]);
  await join(lena, shared, [sharer], 'admin');
  await follow(lena, friend, known, both);
  const comments: Json[] = [];
  const posts = new Map<string, readonly Reason[]>();
  for (const reasons of CHOICES) {
    const has = (reason: Reason) => reasons.includes(reason);
    const pair = has('hub_co_member_author') ? [mate, both] : [stranger, known];
    const author = pair[has('followed_author') ? 1 : 0] ?? stranger;
    const post = has('joined_hub_post')
      ? await aHubPost(author, [target], { visibility: 'public_hub' })
      : await aThought(author);
    if (has('shared_to_hub')) await place(sharer, post, shared);
    if (has('friend_interaction')) comments.push(await aComment(friend, post));
    posts.set(post.id, reasons);
  }
  for (const author of [stranger, known, mate, both]) await granted(requestLeave(author, target));
  const end = {
    followed_author: async () => {
      for (const author of [known, both]) await unfollow(lena, author);
    },
    hub_co_member_author: async () => {
      await granted(requestLeave(mate, together));
      await granted(requestRemove(lena, together, both));
    },
    joined_hub_post: () => granted(requestLeave(lena, target)),
    friend_interaction: async () => {
      for (const comment of comments) await granted(requestCommentDeletion(friend, comment));
    },
    shared_to_hub: () => granted(requestLeave(lena, shared)),
  };
  return { lena, posts, end };
}

/** The first reason of each of `posts` that is not among those that have ended. */
function firstReasons(posts: World['posts'], ended: readonly Reason[]): Record<string, string> {
  const first = [...posts].map(([id, reasons]) => [id, reasons.find((reason) => !ended.includes(reason))]);
  return Object.fromEntries(first.filter(([, reason]) => reason !== undefined));
}

describe('of all the reasons why a post is in a feed, the first is told', () => {
  test.each([
    ['the first ends first', REASONS],
    ['the last ends first', REASONS.toReversed()],
    ['they end in no order', [2, 0, 3, 4, 1].flatMap((index) => REASONS[index] ?? [])],
  ])('of those that are left when %s', async (_, order) => {
    const { lena, posts, end } = await aWorld();
    expect(await reasonsIn(lena)).toEqual(firstReasons(posts, []));
    for (const [index, reason] of order.entries()) {
      await end[reason]();
      expect(await reasonsIn(lena)).toEqual(firstReasons(posts, order.slice(0, index + 1)));
    }
  });
});

describe('an own post', () => {
  test('is that before all else: in Hubs, shared, and whatever friends do about it', async () => {
    const [lena, jonas] = [await aHubReady(opine, 'Lena'), await aHubReady(opine, 'Jonas')];
    const [hub, other] = [await aHub(lena), await aHub(lena)];
    for (const each of [hub, other]) await join(lena, each, [jonas], 'admin');
    await follow(lena, jonas);
    const slider = { sliderText: 'Is this so?' };
    const posts = [
      await aSlider(lena),
      await aHubPost(lena, [hub], { visibility: 'public_hub', ...slider }),
      await aHubPost(lena, [hub], slider),
    ];
    const [open, beside, locked] = posts;
    const repost = await aRepost(lena, open);
    for (const post of [open, beside]) for (const act of Object.values(ACTS)) await act(jonas, post);
    for (const post of [open, beside]) await place(jonas, post, other);
    const reasons = await reasonsIn(lena);
    for (const { id } of [...posts, repost]) expect(reasons[id]).toBe('own_post');
    expect(await reasonFor(jonas, locked)).toBe('joined_hub_post');
    await granted(requestLeave(lena, hub));
    expect(await reasonFor(lena, beside)).toBe('own_post');
    expect(await reasonFor(lena, locked)).toBeUndefined();
    expect((await lena.get(`/posts/${locked.id}`)).status).toBe(200);
  });
});

describe('a post that is for Hubs alone', () => {
  test('is there for the Hub, and for no author whom one follows or is with in a Hub', async () => {
    const [lena, jonas] = [await aHubReady(opine, 'Lena'), await aHubReady(opine, 'Jonas')];
    const [hub, next, his] = [await aHub(lena), await aHub(lena), await aHub(jonas)];
    for (const each of [hub, next]) await join(lena, each, [jonas], 'admin');
    await follow(lena, jonas);
    const inside = await aHubPost(jonas, [hub]);
    const shared = await aHubPost(jonas, [his, await aHub(jonas)]);
    await place(jonas, shared, next);
    await aHubPost(jonas, [his]);
    expect(await reasonsIn(lena)).toEqual({ [inside.id]: 'joined_hub_post', [shared.id]: 'shared_to_hub' });
    await granted(requestLeave(lena, next));
    expect(await reasonsIn(lena)).toEqual({ [inside.id]: 'joined_hub_post' });
  });

  test('is there for a target before it is there for a share', async () => {
    const [lena, jonas] = [await aHubReady(opine, 'Lena'), await aHubReady(opine, 'Jonas')];
    const [target, shared] = [await aHub(lena), await aHub(lena)];
    for (const each of [target, shared]) await join(lena, each, [jonas], 'admin');
    const post = await aHubPost(jonas, [target, await aHub(jonas)]);
    await place(jonas, post, shared);
    expect(await reasonFor(lena, post)).toBe('joined_hub_post');
    await granted(requestLeave(lena, target));
    expect(await reasonFor(lena, post)).toBe('shared_to_hub');
  });
});

test('one friend is as good as another, until none is left', async () => {
  const [lena, noor, author] = [
    await aHubReady(opine, 'Lena'),
    await aHubReady(opine, 'Noor'),
    await aHubReady(opine),
  ];
  const jonas = await aHubReady(opine, 'Jonas');
  const hub = await aHub(lena);
  await join(lena, hub, [jonas]);
  await follow(lena, noor);
  const post = await aSlider(author);
  for (const friend of [noor, jonas]) await aComment(friend, post);
  await unfollow(lena, noor);
  expect(await reasonFor(lena, post)).toBe('friend_interaction');
  await block(jonas, lena);
  expect(await reasonFor(lena, post)).toBeUndefined();
});

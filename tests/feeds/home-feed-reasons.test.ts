import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectOk, type Json } from '../support/client.ts';
import { ACTIVITIES, reasonFor, reasonsIn } from '../support/feeds.ts';
import { block, follow, unfollow } from '../support/graph.ts';
import { aHub, aHubPost, join, requestLeave, requestRemove } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { hubReadyPerson, type Person } from '../support/people.ts';
import {
  aComment,
  aRepost,
  aSlider,
  aThought,
  requestCommentDeletion,
  shareToHubs,
} from '../support/posts.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

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
    ['the first reason ends first', REASONS],
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

describe('feedContext of an own post', () => {
  test('own_post precedes Hubs, shares and activity of friends', async () => {
    const [lena, jonas] = [await hubReadyPerson(opine, 'Lena'), await hubReadyPerson(opine, 'Jonas')];
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
    for (const post of [open, beside])
      for (const perform of Object.values(ACTIVITIES)) await perform(jonas, post);
    for (const post of [open, beside]) await shareToHubs(jonas, post, other);
    const reasons = await reasonsIn(lena);
    for (const { id } of [...posts, repost]) expect(reasons[id]).toBe('own_post');
    expect(await reasonFor(jonas, locked)).toBe('joined_hub_post');
    await expectOk(requestLeave(lena, hub));
    expect(await reasonFor(lena, beside)).toBe('own_post');
    expect(await reasonFor(lena, locked)).toBeUndefined();
    expect((await lena.get(`/posts/${locked.id}`)).status).toBe(200);
  });
});

describe('feedContext of a private post', () => {
  test('the reason is the Hub and never the followed or co-member author', async () => {
    const [lena, jonas] = [await hubReadyPerson(opine, 'Lena'), await hubReadyPerson(opine, 'Jonas')];
    const [hub, next, hubOfJonas] = [await aHub(lena), await aHub(lena), await aHub(jonas)];
    for (const each of [hub, next]) await join(lena, each, [jonas], 'admin');
    await follow(lena, jonas);
    const inside = await aHubPost(jonas, [hub]);
    const shared = await aHubPost(jonas, [hubOfJonas, await aHub(jonas)]);
    await shareToHubs(jonas, shared, next);
    await aHubPost(jonas, [hubOfJonas]);
    expect(await reasonsIn(lena)).toEqual({ [inside.id]: 'joined_hub_post', [shared.id]: 'shared_to_hub' });
    await expectOk(requestLeave(lena, next));
    expect(await reasonsIn(lena)).toEqual({ [inside.id]: 'joined_hub_post' });
  });

  test('joined_hub_post precedes shared_to_hub', async () => {
    const [lena, jonas] = [await hubReadyPerson(opine, 'Lena'), await hubReadyPerson(opine, 'Jonas')];
    const [target, shared] = [await aHub(lena), await aHub(lena)];
    for (const each of [target, shared]) await join(lena, each, [jonas], 'admin');
    const post = await aHubPost(jonas, [target, await aHub(jonas)]);
    await shareToHubs(jonas, post, shared);
    expect(await reasonFor(lena, post)).toBe('joined_hub_post');
    await expectOk(requestLeave(lena, target));
    expect(await reasonFor(lena, post)).toBe('shared_to_hub');
  });
});

test('friend_interaction holds until no friend with activity is left', async () => {
  const [lena, noor, author] = [
    await hubReadyPerson(opine, 'Lena'),
    await hubReadyPerson(opine, 'Noor'),
    await hubReadyPerson(opine),
  ];
  const jonas = await hubReadyPerson(opine, 'Jonas');
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

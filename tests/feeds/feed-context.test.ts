import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectOk, type Json } from '../support/client.ts';
import { reasonsIn } from '../support/feeds.ts';
import { follow, unfollow } from '../support/graph.ts';
import { aHub, aHubPost, join, requestLeave, requestRemove } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { hubReadyPerson, type Person } from '../support/people.ts';
import { aComment, aThought, requestCommentDeletion, shareToHubs } from '../support/posts.ts';

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

// docs/product.md F10
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

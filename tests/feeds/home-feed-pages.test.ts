import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allPages, expectOk, idsOf, type Json, refusal, withQuery } from '../support/client.ts';
import { aFeedWithHiddenPosts, homePage, homePages } from '../support/feeds.ts';
import { block, follow, unfollow } from '../support/graph.ts';
import { aHub, type Hub, join, requestLeave } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, hubReadyPerson, type Person } from '../support/people.ts';
import { aComment, aSlider, requestCommentDeletion, shareToFeed, shareToHubs } from '../support/posts.ts';

let opine: Opine;
let lena: Person;
let hub: Hub;
/** Ids of the frames in Lena's feed, newest event first. */
let expected: string[];

beforeAll(async () => {
  opine = await startOpine();
  ({ viewer: lena, hub, frames: expected } = await aFeedWithHiddenPosts(opine));
});

afterAll(() => opine.stop());

describe('home feed pages', () => {
  test.each([1, 2, 3, 7, 13, 25, 26, 50])(
    'pages of %i are full and return each frame once',
    async (limit) => {
      const pages = await homePages(lena, limit);
      expect(pages.flatMap(idsOf)).toEqual(expected);
      const full = Math.ceil(expected.length / limit) - 1;
      expect(pages.slice(0, -1).map(({ length }) => length)).toEqual(Array(full).fill(limit));
    },
  );

  test('pages of different sizes return each frame once', async () => {
    const ids: string[] = [];
    let cursor: string | undefined;
    for (const limit of [7, 1, 20, 3, 2, 20]) {
      const page = await homePage(lena, limit, cursor);
      ids.push(...idsOf(page.items));
      cursor = page.nextCursor ?? undefined;
    }
    expect([ids, cursor]).toEqual([expected, undefined]);
  });
});

describe('changes between two pages', () => {
  /** An operation of `friend` on a post in the feed of `viewer`; both are members of `hub`. */
  type Operation = (friend: Person, post: Json, viewer: Person, hub: Hub) => Promise<Json>;

  /** Publishes posts of Noor and lets an operation of Jonas move the oldest one to the top. `rest` is newest first. */
  async function feedWithMovedPost(operation: Operation) {
    const [viewer, noor, jonas] = [
      await hubReadyPerson(opine, 'Lena'),
      await hubReadyPerson(opine, 'Noor'),
      await hubReadyPerson(opine, 'Jonas'),
    ];
    const common = await aHub(jonas);
    await join(jonas, common, [viewer]);
    await follow(viewer, noor);
    const old = await aSlider(noor);
    const rest = [await aSlider(noor), await aSlider(noor), await aSlider(noor)];
    const result = await operation(jonas, old, viewer, common);
    return { viewer, noor, jonas, common, old, result, rest: idsOf(rest).reverse() };
  }
  type MovedPost = Awaited<ReturnType<typeof feedWithMovedPost>>;

  const comment: Operation = (jonas, post) => aComment(jonas, post);
  const commentWhenFollowed: Operation = async (jonas, post, viewer, common) => {
    await expectOk(requestLeave(viewer, common));
    await follow(viewer, jonas);
    return aComment(jonas, post);
  };
  const shareIntoTheHub: Operation = (jonas, post, _viewer, common) => shareToHubs(jonas, post, common);
  const CHANGES: Record<string, [Operation, (feed: MovedPost) => Promise<unknown>]> = {
    'new activity on the post': [comment, ({ jonas, old }) => shareToFeed(jonas, old)],
    'a deletion of the comment by its author': [
      comment,
      ({ jonas, result }) => expectOk(requestCommentDeletion(jonas, result)),
    ],
    'an account deletion of the commenter': [comment, ({ jonas }) => expectOk(jonas.delete('/users/me'))],
    'a block of the viewer by the commenter': [comment, ({ jonas, viewer }) => block(jonas, viewer)],
    'an unfollow of the commenter': [commentWhenFollowed, ({ viewer, jonas }) => unfollow(viewer, jonas)],
    'leaving the Hub of the share': [
      shareIntoTheHub,
      ({ viewer, common }) => expectOk(requestLeave(viewer, common)),
    ],
  };

  test.each(Object.entries(CHANGES))('%s repeats no frame on later pages', async (_, [operation, change]) => {
    const feed = await feedWithMovedPost(operation);
    const { items, nextCursor } = await homePage(feed.viewer, 1);
    expect(idsOf(items)).toEqual([feed.old.id]);
    await change(feed);
    const later = (await allPages(feed.viewer, '/posts', { limit: 1, cursor: nextCursor })).flat();
    expect(idsOf(later)).toEqual(feed.rest);
  });
});

describe('invalid parameters of GET /posts', () => {
  const VALUES = {
    cursor: ['', 'abc', 'null', 'e30', 'eyJ0IjoxfQ', 'W10=', "' or 1=1 --", '\u0000', 'x'.repeat(2000)],
    limit: ['0', '51', '-1', '1.5', '1e1', 'ten', '', ' 5', '0x10', '99999999999999999999', 'NaN', '٣'],
    sort: ['loudest'],
  };

  test.each<[string, () => object]>([
    ['a recent home feed', () => ({})],
    ['a trending home feed', () => ({ sort: 'trending' })],
    ['a recent Hub feed', () => ({ hubId: hub.id })],
    ['a trending Hub feed', () => ({ hubId: hub.id, sort: 'trending' })],
  ])('%s answers 422 and names the parameter', async (_, query) => {
    const viewers = 'hubId' in query() ? [lena] : [lena, aGuest(opine)];
    for (const [name, values] of Object.entries(VALUES)) {
      const refused = refusal(422, 'VALIDATION_FAILED', { issues: [{ path: [name] }] });
      for (const value of values) {
        for (const viewer of viewers) {
          const reply = await viewer.get(withQuery('/posts', { ...query(), [name]: value }));
          expect([value, reply]).toMatchObject([value, refused]);
        }
      }
    }
  });
});

import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allPages, expectOk, idsOf, type Json, refusal, withQuery } from '../support/client.ts';
import { aFeedWithHiddenPosts, homeFeed, homePage, homePages } from '../support/feeds.ts';
import { block, follow, unfollow } from '../support/graph.ts';
import { aHub, aHubPost, type Hub, join, requestLeave, requestRemove } from '../support/hubs.ts';
import { anOpine, type Opine, startOpine } from '../support/opine.ts';
import { aGuest, hubReadyPerson, type Person } from '../support/people.ts';
import {
  aComment,
  aRepost,
  aSlider,
  aThought,
  requestCommentDeletion,
  shareToFeed,
  shareToHubs,
} from '../support/posts.ts';

let opine: Opine;
let lena: Person;
let hub: Hub;
/** Ids of the frames in Lena's feed, newest event first. */
let expected: string[];

const SIZES = Array.from({ length: 50 }, (_, index) => index + 1);

beforeAll(async () => {
  opine = await startOpine();
  ({ viewer: lena, hub, frames: expected } = await aFeedWithHiddenPosts(opine));
});

afterAll(() => opine.stop());

describe('home feed pages', () => {
  test.each(SIZES)('pages of %i are full and return each frame once', async (limit) => {
    const pages = await homePages(lena, limit);
    expect(pages.flatMap(idsOf)).toEqual(expected);
    const full = Math.ceil(expected.length / limit) - 1;
    expect(pages.slice(0, -1).map(({ length }) => length)).toEqual(Array(full).fill(limit));
  });

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

  test('the feed ends at the last visible post although hidden posts follow', async () => {
    const viewer = await hubReadyPerson(opine);
    const [friend, blocked] = [await hubReadyPerson(opine), await hubReadyPerson(opine)];
    await follow(viewer, friend);
    for (let index = 0; index < 40; index += 1) await shareToFeed(friend, await aThought(blocked));
    const first = await aThought(friend);
    await block(viewer, blocked);
    expect(await homePage(viewer, 1)).toMatchObject({ items: [{ id: first.id }], nextCursor: null });
  });
});

describe('events at almost the same time', () => {
  /** Creates a feed from two followed authors and sets every event to `time`, an SQL expression in which `p.rank` numbers the posts. */
  async function aFeedOf(time: string) {
    const other = await anOpine();
    const [viewer, noor, jonas] = [
      await hubReadyPerson(other),
      await hubReadyPerson(other),
      await hubReadyPerson(other),
    ];
    await follow(viewer, noor, jonas);
    const posts: Json[] = [];
    for (let index = 0; index < 12; index += 1) posts.push(await aThought(index % 2 === 0 ? noor : jonas));
    for (const post of posts) await aComment(noor, post);
    await sql`
      update app.feed_events as e set occurred_at = ${sql.raw(time)}
      from (select id, row_number() over (order by md5(id::text)) as rank from app.posts) as p
      where p.id = e.post_id`.execute(other.database.superuser);
    return { viewer, ids: idsOf(posts) };
  }

  test('events one microsecond apart are ordered by time', async () => {
    const { viewer, ids } = await aFeedOf(
      `timestamptz '2026-01-01T00:00:00.123Z' + p.rank * interval '1 microsecond'`,
    );
    const byDigest = ids.toSorted((one, other) => (digestOf(one) < digestOf(other) ? 1 : -1));
    for (const limit of SIZES.slice(0, 12)) {
      expect((await homePages(viewer, limit)).flatMap(idsOf)).toEqual(byDigest);
    }
  });

  test('events at the same microsecond are ordered by post id, each once', async () => {
    const { viewer, ids } = await aFeedOf(`timestamptz '2026-01-01T00:00:00.123456Z'`);
    for (const limit of SIZES.slice(0, 12)) {
      expect((await homePages(viewer, limit)).flatMap(idsOf)).toEqual(ids.toSorted().reverse());
    }
  });

  const digestOf = (id: string) => createHash('md5').update(id).digest('hex');
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
    'a deletion of the comment by the author of the post': [
      comment,
      ({ noor, result }) => expectOk(requestCommentDeletion(noor, result)),
    ],
    'an account deletion of the commenter': [comment, ({ jonas }) => expectOk(jonas.delete('/users/me'))],
    'a block of the viewer by the commenter': [comment, ({ jonas, viewer }) => block(jonas, viewer)],
    'an unfollow of the commenter': [commentWhenFollowed, ({ viewer, jonas }) => unfollow(viewer, jonas)],
    'leaving the Hub of the commenter': [
      comment,
      ({ viewer, common }) => expectOk(requestLeave(viewer, common)),
    ],
    'leaving the Hub of the share': [
      shareIntoTheHub,
      ({ viewer, common }) => expectOk(requestLeave(viewer, common)),
    ],
    'a removal from the Hub of the share': [
      shareIntoTheHub,
      ({ jonas, viewer, common }) => expectOk(requestRemove(jonas, common, viewer)),
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

  test('a deletion of the repost that moved a post up repeats no frame on later pages', async () => {
    const feed = await feedWithMovedPost((jonas, post) => aRepost(jonas, post));
    const { items, nextCursor } = await homePage(feed.viewer, 2);
    expect(idsOf(items)).toEqual([feed.result.id, feed.old.id]);
    await expectOk(feed.jonas.delete(`/posts/${feed.result.id}`));
    const later = await homePage(feed.viewer, 50, nextCursor);
    expect([idsOf(later.items), later.nextCursor]).toEqual([feed.rest, null]);
  });

  test('a deletion of the later of two comments repeats no frame on later pages', async () => {
    const { viewer, noor, jonas, old, rest } = await feedWithMovedPost(comment);
    const [newest, ...older] = [await aThought(noor), ...rest.map((id) => ({ id }))];
    const second = await aComment(jonas, old);
    const { items, nextCursor } = await homePage(viewer, 1);
    expect(idsOf(items)).toEqual([old.id]);
    await expectOk(requestCommentDeletion(jonas, second));
    expect(idsOf((await homePage(viewer, 50, nextCursor)).items)).toEqual(idsOf([newest, ...older]));
    expect(await homeFeed(viewer)).toEqual([newest.id, old.id, ...rest]);
  });

  test('posts published between two pages are not on the next page', async () => {
    const { viewer, jonas, noor, rest, common } = await feedWithMovedPost(comment);
    const { nextCursor } = await homePage(viewer, 2);
    await aThought(noor);
    await aHubPost(jonas, [common]);
    expect(idsOf((await homePage(viewer, 50, nextCursor)).items)).toEqual(rest.slice(1));
  });
});

describe('invalid parameters of GET /posts', () => {
  const KINDS: Record<string, () => object> = {
    'a recent home feed': () => ({}),
    'a trending home feed': () => ({ sort: 'trending' }),
    'a recent Hub feed': () => ({ hubId: hub.id }),
    'a trending Hub feed': () => ({ hubId: hub.id, sort: 'trending' }),
  };
  const CURSORS = ['', 'abc', 'null', 'e30', 'eyJ0IjoxfQ', 'W10=', "' or 1=1 --", '\u0000', 'x'.repeat(2000)];
  const LIMITS = ['0', '51', '-1', '1.5', 'ten', '', '99999999999999999999'];

  describe.each(Object.entries(KINDS))('%s', (_, query) => {
    test.each<[name: string, value: string]>([
      ...CURSORS.map((cursor): [string, string] => ['cursor', cursor]),
      ...LIMITS.map((limit): [string, string] => ['limit', limit]),
      ['sort', 'loudest'],
    ])('the %s %j answers 422', async (name, value) => {
      for (const viewer of name === 'sort' || 'hubId' in query() ? [lena] : [lena, aGuest(opine)]) {
        const reply = await viewer.get(withQuery('/posts', { ...query(), [name]: value }));
        expect(reply).toMatchObject(refusal(422, 'VALIDATION_FAILED', { issues: [{ path: [name] }] }));
      }
    });

    test('a cursor of another list and a forged cursor answer 200 or 422', async () => {
      const cursors: string[] = [];
      for (const other of Object.values(KINDS)) {
        const { nextCursor } = await expectOk(lena.get(withQuery('/posts', { limit: 1, ...other() })));
        cursors.push(nextCursor, nextCursor.slice(0, -3), `${nextCursor}A`);
        for (let index = 0; index < nextCursor.length; index += 3) {
          for (const forged of ['0', '_', 'f']) {
            cursors.push(nextCursor.slice(0, index) + forged.repeat(nextCursor.length - index));
          }
        }
      }
      for (const cursor of cursors) {
        const { status } = await lena.get(withQuery('/posts', { ...query(), cursor }));
        expect([200, 422]).toContain(status);
      }
    });
  });
});

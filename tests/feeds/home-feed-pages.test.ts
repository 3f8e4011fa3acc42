import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, refusal } from '../support/client.ts';
import { aFeedWithMuchHidden, homeFeed, homePage, homePages } from '../support/feeds.ts';
import { aComment, aRepost, place, requestCommentDeletion, share } from '../support/frames.ts';
import { block, everyPage, follow, granted, idsOf, unfollow, withQuery } from '../support/graph.ts';
import { aHub, aHubPost, type Hub, join, requestLeave, requestRemove } from '../support/hubs.ts';
import { anOpine, type Opine, startOpine } from '../support/opine.ts';
import { aGuest, aHubReady, type Person } from '../support/people.ts';
import { aSlider, aThought } from '../support/posts.ts';

let opine: Opine;
let lena: Person;
let hub: Hub;
/** Lena's feed, the newest first, by what happened. */
let expected: string[];

const SIZES = Array.from({ length: 50 }, (_, index) => index + 1);

beforeAll(async () => {
  opine = await startOpine();
  ({ viewer: lena, hub, frames: expected } = await aFeedWithMuchHidden(opine));
});

afterAll(() => opine.stop());

describe('whatever the size of its pages, a feed holds each frame once, and its pages are full', () => {
  test.each(SIZES)('%i', async (limit) => {
    const pages = await homePages(lena, limit);
    expect(pages.flatMap(idsOf)).toEqual(expected);
    const full = Math.ceil(expected.length / limit) - 1;
    expect(pages.slice(0, -1).map(({ length }) => length)).toEqual(Array(full).fill(limit));
  });

  test('with other sizes from page to page', async () => {
    const walked: string[] = [];
    let cursor: string | undefined;
    for (const limit of [7, 1, 20, 3, 2, 20]) {
      const page = await homePage(lena, limit, cursor);
      walked.push(...idsOf(page.items));
      cursor = page.nextCursor ?? undefined;
    }
    expect([walked, cursor]).toEqual([expected, undefined]);
  });

  test('where all that is left of it is hidden, it ends', async () => {
    const viewer = await aHubReady(opine);
    const [friend, enemy] = [await aHubReady(opine), await aHubReady(opine)];
    await follow(viewer, friend);
    for (let index = 0; index < 40; index += 1) await share(friend, await aThought(enemy));
    const first = await aThought(friend);
    await block(viewer, enemy);
    expect(await homePage(viewer, 1)).toMatchObject({ items: [{ id: first.id }], nextCursor: null });
  });
});

describe('what happened at almost the same time', () => {
  /** The feed of somebody who follows two, whose posts and comments happened at `time`, which may be of their post. */
  async function aFeedOf(time: string) {
    const other = await anOpine();
    const [viewer, noor, jonas] = [await aHubReady(other), await aHubReady(other), await aHubReady(other)];
    await follow(viewer, noor, jonas);
    const posts: Json[] = [];
    for (let index = 0; index < 12; index += 1) posts.push(await aThought(index % 2 === 0 ? noor : jonas));
    for (const post of posts) await aComment(noor, post);
    await sql`
      update app.feed_events as e set occurred_at = ${sql.raw(time)}
      from (select id, row_number() over (order by md5(id::text)) as place from app.posts) as p
      where p.id = e.post_id`.execute(other.database.superuser);
    return { viewer, ids: idsOf(posts) };
  }

  test('is told apart by microseconds', async () => {
    const { viewer, ids } = await aFeedOf(
      `timestamptz '2026-01-01T00:00:00.123Z' + p.place * interval '1 microsecond'`,
    );
    const byDigest = ids.toSorted((one, other) => (digestOf(one) < digestOf(other) ? 1 : -1));
    for (const limit of SIZES.slice(0, 12)) {
      expect((await homePages(viewer, limit)).flatMap(idsOf)).toEqual(byDigest);
    }
  });

  test('or at the same, comes once, by the ids of posts', async () => {
    const { viewer, ids } = await aFeedOf(`timestamptz '2026-01-01T00:00:00.123456Z'`);
    for (const limit of SIZES.slice(0, 12)) {
      expect((await homePages(viewer, limit)).flatMap(idsOf)).toEqual(ids.toSorted().reverse());
    }
  });

  const digestOf = (id: string) => createHash('md5').update(id).digest('hex');
});

describe('from one page to the next, no frame comes twice', () => {
  /** What a friend does about a post in the feed of `viewer`, with whom they are in `hub`. */
  type Act = (friend: Person, post: Json, viewer: Person, hub: Hub) => Promise<Json>;

  /** Noor's posts, the newest first; and an act of Jonas, by which the oldest comes to the top. */
  async function aWalk(act: Act) {
    const [viewer, noor, jonas] = [
      await aHubReady(opine, 'Lena'),
      await aHubReady(opine, 'Noor'),
      await aHubReady(opine, 'Jonas'),
    ];
    const common = await aHub(jonas);
    await join(jonas, common, [viewer]);
    await follow(viewer, noor);
    const old = await aSlider(noor);
    const rest = [await aSlider(noor), await aSlider(noor), await aSlider(noor)];
    const done = await act(jonas, old, viewer, common);
    return { viewer, noor, jonas, common, old, done, rest: idsOf(rest).reverse() };
  }
  type Walk = Awaited<ReturnType<typeof aWalk>>;

  const comment: Act = (jonas, post) => aComment(jonas, post);
  const commentWhenFollowed: Act = async (jonas, post, viewer, common) => {
    await granted(requestLeave(viewer, common));
    await follow(viewer, jonas);
    return aComment(jonas, post);
  };
  const shareIntoTheHub: Act = (jonas, post, _viewer, common) => place(jonas, post, common);
  const WAYS: Record<string, [Act, (walk: Walk) => Promise<unknown>]> = {
    'somebody acts on it again': [comment, ({ jonas, old }) => share(jonas, old)],
    'the comment is deleted': [comment, ({ jonas, done }) => granted(requestCommentDeletion(jonas, done))],
    'its author deletes the comment': [
      comment,
      ({ noor, done }) => granted(requestCommentDeletion(noor, done)),
    ],
    'whoever commented ends their account': [comment, ({ jonas }) => granted(jonas.delete('/users/me'))],
    'whoever commented blocks the viewer': [comment, ({ jonas, viewer }) => block(jonas, viewer)],
    'the viewer follows whoever commented no more': [
      commentWhenFollowed,
      ({ viewer, jonas }) => unfollow(viewer, jonas),
    ],
    'the viewer leaves the Hub of whoever commented': [
      comment,
      ({ viewer, common }) => granted(requestLeave(viewer, common)),
    ],
    'the viewer leaves the Hub into which it was shared': [
      shareIntoTheHub,
      ({ viewer, common }) => granted(requestLeave(viewer, common)),
    ],
    'the viewer is removed from it': [
      shareIntoTheHub,
      ({ jonas, viewer, common }) => granted(requestRemove(jonas, common, viewer)),
    ],
  };

  test.each(Object.entries(WAYS))('though %s', async (_, [act, happens]) => {
    const walk = await aWalk(act);
    const { items, nextCursor } = await homePage(walk.viewer, 1);
    expect(idsOf(items)).toEqual([walk.old.id]);
    await happens(walk);
    const later = (await everyPage(walk.viewer, '/posts', { limit: 1, cursor: nextCursor })).flat();
    expect(idsOf(later)).toEqual(walk.rest);
  });

  test('though the repost is deleted for which it was there', async () => {
    const walk = await aWalk((jonas, post) => aRepost(jonas, post));
    const { items, nextCursor } = await homePage(walk.viewer, 2);
    expect(idsOf(items)).toEqual([walk.done.id, walk.old.id]);
    await granted(walk.jonas.delete(`/posts/${walk.done.id}`));
    const later = await homePage(walk.viewer, 50, nextCursor);
    expect([idsOf(later.items), later.nextCursor]).toEqual([walk.rest, null]);
  });

  test('though the later of two comments is deleted, of which the earlier is further down', async () => {
    const { viewer, noor, jonas, old, rest } = await aWalk(comment);
    const [newest, ...older] = [await aThought(noor), ...rest.map((id) => ({ id }))];
    const second = await aComment(jonas, old);
    const { items, nextCursor } = await homePage(viewer, 1);
    expect(idsOf(items)).toEqual([old.id]);
    await granted(requestCommentDeletion(jonas, second));
    expect(idsOf((await homePage(viewer, 50, nextCursor)).items)).toEqual(idsOf([newest, ...older]));
    expect(await homeFeed(viewer)).toEqual([newest.id, old.id, ...rest]);
  });

  test('and what comes meanwhile is above', async () => {
    const { viewer, jonas, noor, rest, common } = await aWalk(comment);
    const { nextCursor } = await homePage(viewer, 2);
    await aThought(noor);
    await aHubPost(jonas, [common]);
    expect(idsOf((await homePage(viewer, 50, nextCursor)).items)).toEqual(rest.slice(1));
  });
});

describe('a page is refused', () => {
  const KINDS: Record<string, () => object> = {
    'by time': () => ({}),
    'by heat': () => ({ sort: 'trending' }),
    'of a Hub': () => ({ hubId: hub.id }),
    'of a Hub by heat': () => ({ hubId: hub.id, sort: 'trending' }),
  };
  const CURSORS = ['', 'abc', 'null', 'e30', 'eyJ0IjoxfQ', 'W10=', "' or 1=1 --", '\u0000', 'x'.repeat(2000)];
  const LIMITS = ['0', '51', '-1', '1.5', 'ten', '', '99999999999999999999'];

  describe.each(Object.entries(KINDS))('%s', (_, query) => {
    test.each<[name: string, value: string]>([
      ...CURSORS.map((cursor): [string, string] => ['cursor', cursor]),
      ...LIMITS.map((limit): [string, string] => ['limit', limit]),
      ['sort', 'loudest'],
    ])('whose %s is %j', async (name, value) => {
      for (const viewer of name === 'sort' || 'hubId' in query() ? [lena] : [lena, aGuest(opine)]) {
        const reply = await viewer.get(withQuery('/posts', { ...query(), [name]: value }));
        expect(reply).toMatchObject(refusal(422, 'VALIDATION_FAILED', { issues: [{ path: [name] }] }));
      }
    });

    test('or answered, where its cursor is of another list or cut', async () => {
      const cursors: string[] = [];
      for (const other of Object.values(KINDS)) {
        const { nextCursor } = await granted(lena.get(withQuery('/posts', { limit: 1, ...other() })));
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

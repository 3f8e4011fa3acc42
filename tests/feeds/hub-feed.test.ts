import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  allPages,
  type Client,
  expectOk,
  idsOf,
  type Json,
  MALFORMED_IDS,
  NONEXISTENT,
  newestFirst,
  refusal,
  withQuery,
} from '../support/client.ts';
import { aHubOfTwo, type HubOfTwo, nonMembersOf } from '../support/discussions.ts';
import { block, unblock } from '../support/graph.ts';
import { aHub, aHubPost, aMemberOf, type Hub, join, requestLeave } from '../support/hubs.ts';
import { aGuest, hubReadyPerson, personOfLevel } from '../support/people.ts';
import { aThought, seenBy } from '../support/posts.ts';
import { type OpineWithStorage, startOpineWithStorage } from '../support/storage.ts';
import { waitUntilDeleted } from '../support/worker.ts';

let opine: OpineWithStorage;

beforeAll(async () => {
  opine = await startOpineWithStorage();
});

afterAll(() => opine.stop());

const FORBIDDEN = refusal(403, 'FORBIDDEN');

/** The two paths of a Hub feed, each with the query that selects the Hub. */
const PATHS = {
  '/hubs/{hubId}/feed': ({ id }: Hub): [string, object] => [`/hubs/${id}/feed`, {}],
  '/posts?hubId=': ({ id }: Hub): [string, object] => ['/posts', { hubId: id }],
};

describe.each(Object.entries(PATHS))('the feed of a Hub at %s', (_, locate) => {
  const feedPages = (viewer: Client, hub: Hub, query: object = {}) => {
    const [path, hubQuery] = locate(hub);
    return allPages(viewer, path, { ...hubQuery, ...query });
  };
  const feed = async (viewer: Client, hub: Hub) => idsOf((await feedPages(viewer, hub)).flat());
  const requestFeed = (viewer: Client, hub: Hub, query: object = {}) => {
    const [path, hubQuery] = locate(hub);
    return viewer.get(withQuery(path, { ...hubQuery, ...query }));
  };
  const page = async (viewer: Client, hub: Hub, query: object): Promise<Json> =>
    expectOk(requestFeed(viewer, hub, query));

  /** Creates a circle and `count` posts, of Amara and Jonas in turn. Returns the posts oldest first. */
  async function aBusyCircle(count: number): Promise<HubOfTwo & { posts: Json[] }> {
    const circle = await aHubOfTwo(opine);
    const posts: Json[] = [];
    for (let index = 0; index < count; index += 1) {
      posts.push(await aHubPost(index % 2 === 0 ? circle.amara : circle.jonas, [circle.hub]));
    }
    return { ...circle, posts };
  }

  test('the feed lists the posts that any member placed in the Hub, newest first', async () => {
    const { hub, amara, jonas } = await aHubOfTwo(opine);
    const other = await aHub(jonas);
    const byAmara = await aHubPost(amara, [hub], { visibility: 'public_hub' });
    const both = await aHubPost(jonas, [other, hub]);
    const elsewhere = await aHubPost(jonas, [other], { visibility: 'public_hub' });
    await aThought(amara);
    for (const viewer of [amara, jonas]) expect(await feed(viewer, hub)).toEqual([both.id, byAmara.id]);
    expect(await feed(jonas, other)).toEqual([elsewhere.id, both.id]);
  });

  test('each card is the card of the post with feedContext joined_hub_post', async () => {
    const { hub, amara, posts } = await aBusyCircle(2);
    const [cards] = await feedPages(amara, hub);
    for (const [index, post] of posts.toReversed().entries()) {
      const { permissions: _, ...card } = await seenBy(amara, post);
      expect(cards?.[index]).toEqual({ ...card, feedContext: 'joined_hub_post' });
    }
  });

  test.each([1, 2, 3, 4, 5, 6, 50])('pages of %i return each post once', async (limit) => {
    const { hub, jonas, posts } = await aBusyCircle(5);
    const pages = await feedPages(jonas, hub, { limit });
    expect(pages.flatMap(idsOf)).toEqual(newestFirst(posts));
    expect(pages).toHaveLength(Math.ceil(5 / limit));
  });

  test('posts with equal timestamps are each returned once', async () => {
    const { hub, jonas, posts } = await aBusyCircle(5);
    await sql`alter table app.placements disable trigger placements_share_again_before_update`.execute(
      opine.database.superuser,
    );
    await sql`
      update app.placements set last_shared_at = '2026-01-01T00:00:00.123456Z' where hub_id = ${hub.id}
    `.execute(opine.database.superuser);
    await sql`alter table app.placements enable trigger placements_share_again_before_update`.execute(
      opine.database.superuser,
    );
    for (const limit of [1, 2, 3]) {
      const ids = (await feedPages(jonas, hub, { limit })).flatMap(idsOf);
      expect(ids.sort()).toEqual(idsOf(posts).sort());
    }
  });

  test('posts created and deleted between pages cause no repeats and no gaps', async () => {
    const { hub, amara, jonas, posts } = await aBusyCircle(6);
    const [sixth, fifth, fourth, third, second, first] = newestFirst(posts);
    const top = await page(amara, hub, { limit: 2 });
    expect(idsOf(top.items)).toEqual([sixth, fifth]);
    await expectOk(amara.delete(`/posts/${fifth}`));
    await expectOk(jonas.delete(`/posts/${fourth}`));
    await aHubPost(jonas, [hub]);
    const next = await page(amara, hub, { limit: 2, cursor: top.nextCursor });
    expect(idsOf(next.items)).toEqual([third, second]);
    const last = await page(amara, hub, { limit: 2, cursor: next.nextCursor });
    expect([idsOf(last.items), last.nextCursor]).toEqual([[first], null]);
  });

  test('posts across a block are left out without shortening a page', async () => {
    const { hub, amara, jonas, posts } = await aBusyCircle(10);
    const lena = await aMemberOf(opine, amara, hub, 'Lena');
    const of = ({ id }: { id: string }) => newestFirst(posts.filter(({ author }) => author.id === id));
    await block(amara, jonas);
    for (const [viewer, author] of [
      [amara, amara],
      [jonas, jonas],
    ] as const) {
      const pages = await feedPages(viewer, hub, { limit: 2 });
      expect(pages.flatMap(idsOf)).toEqual(of(author));
      expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
    }
    expect(await feed(lena, hub)).toEqual(newestFirst(posts));
    await unblock(amara, jonas);
    expect(await feed(amara, hub)).toEqual(newestFirst(posts));
  });

  test('the feed ends at the last visible post although hidden posts follow', async () => {
    const { hub, amara, jonas } = await aHubOfTwo(opine);
    const byJonas = await aHubPost(jonas, [hub]);
    await Promise.all(Array.from({ length: 60 }, () => aHubPost(amara, [hub])));
    await block(jonas, amara);
    const { items, nextCursor } = await page(jonas, hub, { limit: 1 });
    expect([idsOf(items), nextCursor]).toEqual([[byJonas.id], null]);
  });

  test('a page has 20 posts by default and 50 at most', async () => {
    const { hub, amara } = await aHubOfTwo(opine);
    await Promise.all(Array.from({ length: 51 }, () => aHubPost(amara, [hub])));
    const sizes = async (query: object) => (await feedPages(amara, hub, query)).map(({ length }) => length);
    expect(await sizes({})).toEqual([20, 20, 11]);
    expect(await sizes({ limit: 50 })).toEqual([50, 1]);
  });

  test.each(['0', '51', '-1', '1.5', '1e1', 'ten', '', ' 5', '99999999999999999999'])(
    'the limit "%s" answers 422',
    async (limit) => {
      const { hub, amara } = await aHubOfTwo(opine);
      const refused = refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['limit'] }] });
      expect(await requestFeed(amara, hub, { limit })).toMatchObject(refused);
    },
  );

  test.each(['', 'abc', 'null', 'e30', 'eyJ0IjoxfQ', 'W10=', "' or 1=1 --", '\u0000', 'x'.repeat(2000)])(
    'the cursor %j answers 422',
    async (cursor) => {
      const { hub, amara } = await aHubOfTwo(opine);
      const refused = refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['cursor'] }] });
      expect(await requestFeed(amara, hub, { cursor })).toMatchObject(refused);
    },
  );

  test('members of every role read the feed, and non-members and lower levels get 403', async () => {
    const { hub, amara, posts } = await aBusyCircle(2);
    const manager = await aMemberOf(opine, amara, hub, 'Lena', 'manager');
    const admin = await aMemberOf(opine, amara, hub, 'Noor', 'admin');
    for (const member of [manager, admin]) expect(await feed(member, hub)).toEqual(newestFirst(posts));
    const nonMembers = await nonMembersOf(opine, amara, hub);
    for (const nonMember of nonMembers.values())
      expect(await requestFeed(nonMember, hub)).toMatchObject(FORBIDDEN);
    for (const level of [1, 2, 3]) {
      expect(await requestFeed(await personOfLevel(level, opine), hub)).toMatchObject(FORBIDDEN);
    }
  });

  test('a person loses the feed by leaving and regains all of it by rejoining', async () => {
    const { hub, amara, jonas, posts } = await aBusyCircle(2);
    await expectOk(requestLeave(jonas, hub));
    expect(await requestFeed(jonas, hub)).toMatchObject(FORBIDDEN);
    expect(await feed(amara, hub)).toEqual(newestFirst(posts));
    await join(amara, hub, [jonas]);
    expect(await feed(jonas, hub)).toEqual(newestFirst(posts));
  });

  test('the feed omits the posts of a deleted account', async () => {
    const { hub, amara, jonas, posts } = await aBusyCircle(4);
    await expectOk(jonas.delete('/users/me'));
    const byAmara = newestFirst(posts.filter(({ author }) => author.id === amara.id));
    expect(await feed(amara, hub)).toEqual(byAmara);
    await waitUntilDeleted(opine, jonas.id);
    expect(await feed(amara, hub)).toEqual(byAmara);
  });

  test('the feed forbids caching', async () => {
    const { hub, amara } = await aBusyCircle(1);
    for (const viewer of [amara, await hubReadyPerson(opine)]) {
      const { headers } = await requestFeed(viewer, hub);
      expect(headers.get('cache-control')).toBe('private, no-cache, no-store');
      expect(headers.get('vary')?.split(/, */)).toContain('Authorization');
    }
  });
});

describe('the feed of a missing Hub', () => {
  test('a missing Hub answers 404 at its path, and a closed or unknown hubId answers 403', async () => {
    const amara = await hubReadyPerson(opine);
    const closed = await aHub(amara);
    await aHubPost(amara, [closed]);
    await expectOk(requestLeave(amara, closed));
    for (const id of [closed.id, NONEXISTENT.id, ...MALFORMED_IDS]) {
      expect(await amara.get(`/hubs/${id}/feed`)).toMatchObject(refusal(404, 'HUB_NOT_FOUND'));
    }
    for (const hubId of [closed.id, NONEXISTENT.id]) {
      expect(await amara.get(withQuery('/posts', { hubId }))).toMatchObject(FORBIDDEN);
    }
  });

  test('a malformed hubId answers 422', async () => {
    const amara = await hubReadyPerson(opine);
    for (const hubId of ['', 'garlic', `${NONEXISTENT.id}0`]) {
      const refused = refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['hubId'] }] });
      expect(await amara.get(withQuery('/posts', { hubId }))).toMatchObject(refused);
    }
  });
});

test('a guest gets 401 at /hubs/{hubId}/feed and 403 at /posts?hubId=, and level 3 gets 403', async () => {
  const { hub } = await aHubOfTwo(opine);
  expect(await aGuest(opine).get(`/hubs/${hub.id}/feed`)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  expect(await aGuest(opine).get(`/posts?hubId=${hub.id}`)).toMatchObject(FORBIDDEN);
  const confirmed = await (await personOfLevel(3, opine)).get(`/hubs/${hub.id}/feed`);
  expect(confirmed.error.details).toEqual({ requiredLevel: 4, level: 3, nextStep: 'contacts' });
});

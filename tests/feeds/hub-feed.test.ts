import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { untilGone } from '../support/account-deletions.ts';
import { type Client, type Json, refusal } from '../support/client.ts';
import { aCircle, type Circle, nonMembersOf } from '../support/discussions.ts';
import { newestFirst } from '../support/feeds.ts';
import { block, everyPage, granted, idsOf, NO_IDS, NOBODY, unblock, withQuery } from '../support/graph.ts';
import { aHub, aHubPost, aMemberOf, type Hub, join, requestLeave } from '../support/hubs.ts';
import { aGuest, aHubReady, aPersonOf } from '../support/people.ts';
import { aThought, seenBy } from '../support/posts.ts';
import { type StoringOpine, startStoringOpine } from '../support/storage.ts';

let opine: StoringOpine;

beforeAll(async () => {
  opine = await startStoringOpine();
});

afterAll(() => opine.stop());

const FORBIDDEN = refusal(403, 'FORBIDDEN');

/** The two ways to the feed of a Hub: where it is, and what is asked for there. */
const WAYS = {
  '/hubs/{hubId}/feed': ({ id }: Hub): [string, object] => [`/hubs/${id}/feed`, {}],
  '/posts?hubId=': ({ id }: Hub): [string, object] => ['/posts', { hubId: id }],
};

describe.each(Object.entries(WAYS))('the feed of a Hub at %s', (_, wayTo) => {
  const pages = (viewer: Client, hub: Hub, query: object = {}) => {
    const [path, asked] = wayTo(hub);
    return everyPage(viewer, path, { ...asked, ...query });
  };
  const feed = async (viewer: Client, hub: Hub) => idsOf((await pages(viewer, hub)).flat());
  const ask = (viewer: Client, hub: Hub, query: object = {}) => {
    const [path, asked] = wayTo(hub);
    return viewer.get(withQuery(path, { ...asked, ...query }));
  };
  const page = async (viewer: Client, hub: Hub, query: object): Promise<Json> =>
    granted(ask(viewer, hub, query));

  /** A circle with `count` posts, turn and turn about, the oldest first. */
  async function aBusyCircle(count: number): Promise<Circle & { posts: Json[] }> {
    const circle = await aCircle(opine);
    const posts: Json[] = [];
    for (let index = 0; index < count; index += 1) {
      posts.push(await aHubPost(index % 2 === 0 ? circle.amara : circle.jonas, [circle.hub]));
    }
    return { ...circle, posts };
  }

  test('holds what was placed in it, by whomever, the newest first', async () => {
    const { hub, amara, jonas } = await aCircle(opine);
    const other = await aHub(jonas);
    const hers = await aHubPost(amara, [hub], { visibility: 'public_hub' });
    const both = await aHubPost(jonas, [other, hub]);
    const elsewhere = await aHubPost(jonas, [other], { visibility: 'public_hub' });
    await aThought(amara);
    for (const viewer of [amara, jonas]) expect(await feed(viewer, hub)).toEqual([both.id, hers.id]);
    expect(await feed(jonas, other)).toEqual([elsewhere.id, both.id]);
  });

  test('shows cards as the posts are, for the reason that one is a member', async () => {
    const { hub, amara, posts } = await aBusyCircle(2);
    const [cards] = await pages(amara, hub);
    for (const [index, post] of posts.toReversed().entries()) {
      const { permissions: _, ...card } = await seenBy(amara, post);
      expect(cards?.[index]).toEqual({ ...card, feedContext: 'joined_hub_post' });
    }
  });

  test.each([1, 2, 3, 4, 5, 6, 50])('comes from page to page of %i, each post once', async (limit) => {
    const { hub, jonas, posts } = await aBusyCircle(5);
    const walked = await pages(jonas, hub, { limit });
    expect(walked.flatMap(idsOf)).toEqual(newestFirst(posts));
    expect(walked).toHaveLength(Math.ceil(5 / limit));
  });

  test('holds each post once, also those of one instant', async () => {
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
      const walked = (await pages(jonas, hub, { limit })).flatMap(idsOf);
      expect(walked.sort()).toEqual(idsOf(posts).sort());
    }
  });

  test('neither repeats nor skips where posts come and go meanwhile', async () => {
    const { hub, amara, jonas, posts } = await aBusyCircle(6);
    const [sixth, fifth, fourth, third, second, first] = newestFirst(posts);
    const top = await page(amara, hub, { limit: 2 });
    expect(idsOf(top.items)).toEqual([sixth, fifth]);
    await granted(amara.delete(`/posts/${fifth}`));
    await granted(jonas.delete(`/posts/${fourth}`));
    await aHubPost(jonas, [hub]);
    const next = await page(amara, hub, { limit: 2, cursor: top.nextCursor });
    expect(idsOf(next.items)).toEqual([third, second]);
    const last = await page(amara, hub, { limit: 2, cursor: next.nextCursor });
    expect([idsOf(last.items), last.nextCursor]).toEqual([[first], null]);
  });

  test('leaves out what a block hides, and pages are full all the same', async () => {
    const { hub, amara, jonas, posts } = await aBusyCircle(10);
    const lena = await aMemberOf(opine, amara, hub, 'Lena');
    const of = ({ id }: { id: string }) => newestFirst(posts.filter(({ author }) => author.id === id));
    await block(amara, jonas);
    for (const [viewer, author] of [
      [amara, amara],
      [jonas, jonas],
    ] as const) {
      const walked = await pages(viewer, hub, { limit: 2 });
      expect(walked.flatMap(idsOf)).toEqual(of(author));
      expect(walked.map(({ length }) => length)).toEqual([2, 2, 1]);
    }
    expect(await feed(lena, hub)).toEqual(newestFirst(posts));
    await unblock(amara, jonas);
    expect(await feed(amara, hub)).toEqual(newestFirst(posts));
  });

  test('ends where nothing visible is left, however much is hidden', async () => {
    const { hub, amara, jonas } = await aCircle(opine);
    const his = await aHubPost(jonas, [hub]);
    await Promise.all(Array.from({ length: 60 }, () => aHubPost(amara, [hub])));
    await block(jonas, amara);
    const { items, nextCursor } = await page(jonas, hub, { limit: 1 });
    expect([idsOf(items), nextCursor]).toEqual([[his.id], null]);
  });

  test('has twenty posts to a page unless asked, and at most fifty', async () => {
    const { hub, amara } = await aCircle(opine);
    await Promise.all(Array.from({ length: 51 }, () => aHubPost(amara, [hub])));
    const sizes = async (query: object) => (await pages(amara, hub, query)).map(({ length }) => length);
    expect(await sizes({})).toEqual([20, 20, 11]);
    expect(await sizes({ limit: 50 })).toEqual([50, 1]);
  });

  test.each(['0', '51', '-1', '1.5', '1e1', 'ten', '', ' 5', '99999999999999999999'])(
    'has no limit like "%s"',
    async (limit) => {
      const { hub, amara } = await aCircle(opine);
      const refused = refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['limit'] }] });
      expect(await ask(amara, hub, { limit })).toMatchObject(refused);
    },
  );

  test.each(['', 'abc', 'null', 'e30', 'eyJ0IjoxfQ', 'W10=', "' or 1=1 --", '\u0000', 'x'.repeat(2000)])(
    'has no cursor like %j',
    async (cursor) => {
      const { hub, amara } = await aCircle(opine);
      const refused = refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['cursor'] }] });
      expect(await ask(amara, hub, { cursor })).toMatchObject(refused);
    },
  );

  test('is for members of every role, and for nobody else', async () => {
    const { hub, amara, posts } = await aBusyCircle(2);
    const manager = await aMemberOf(opine, amara, hub, 'Lena', 'manager');
    const admin = await aMemberOf(opine, amara, hub, 'Noor', 'admin');
    for (const member of [manager, admin]) expect(await feed(member, hub)).toEqual(newestFirst(posts));
    const nonMembers = await nonMembersOf(opine, amara, hub);
    for (const nonMember of nonMembers.values()) expect(await ask(nonMember, hub)).toMatchObject(FORBIDDEN);
    for (const level of [1, 2, 3]) {
      expect(await ask(await aPersonOf(level, opine), hub)).toMatchObject(FORBIDDEN);
    }
  });

  test('follows membership: it is whole again for who comes back', async () => {
    const { hub, amara, jonas, posts } = await aBusyCircle(2);
    await granted(requestLeave(jonas, hub));
    expect(await ask(jonas, hub)).toMatchObject(FORBIDDEN);
    expect(await feed(amara, hub)).toEqual(newestFirst(posts));
    await join(amara, hub, [jonas]);
    expect(await feed(jonas, hub)).toEqual(newestFirst(posts));
  });

  test('loses the posts of an ended account', async () => {
    const { hub, amara, jonas, posts } = await aBusyCircle(4);
    await granted(jonas.delete('/users/me'));
    const hers = newestFirst(posts.filter(({ author }) => author.id === amara.id));
    expect(await feed(amara, hub)).toEqual(hers);
    await untilGone(opine, jonas.id);
    expect(await feed(amara, hub)).toEqual(hers);
  });

  test('is kept by no cache', async () => {
    const { hub, amara } = await aBusyCircle(1);
    for (const viewer of [amara, await aHubReady(opine)]) {
      const { headers } = await ask(viewer, hub);
      expect(headers.get('cache-control')).toBe('private, no-cache, no-store');
      expect(headers.get('vary')?.split(/, */)).toContain('Authorization');
    }
  });
});

describe('where there is no Hub', () => {
  test('or none any more, there is no feed of it', async () => {
    const amara = await aHubReady(opine);
    const closed = await aHub(amara);
    await aHubPost(amara, [closed]);
    await granted(requestLeave(amara, closed));
    for (const id of [closed.id, NOBODY.id, ...NO_IDS]) {
      expect(await amara.get(`/hubs/${id}/feed`)).toMatchObject(refusal(404, 'HUB_NOT_FOUND'));
    }
    for (const hubId of [closed.id, NOBODY.id]) {
      expect(await amara.get(withQuery('/posts', { hubId }))).toMatchObject(FORBIDDEN);
    }
  });

  test('is no scope', async () => {
    const amara = await aHubReady(opine);
    for (const hubId of ['', 'garlic', `${NOBODY.id}0`]) {
      const refused = refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['hubId'] }] });
      expect(await amara.get(withQuery('/posts', { hubId }))).toMatchObject(refused);
    }
  });
});

test('a guest is asked for a bearer at the Hub, and refused at the posts', async () => {
  const { hub } = await aCircle(opine);
  expect(await aGuest(opine).get(`/hubs/${hub.id}/feed`)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  expect(await aGuest(opine).get(`/posts?hubId=${hub.id}`)).toMatchObject(FORBIDDEN);
  const confirmed = await (await aPersonOf(3, opine)).get(`/hubs/${hub.id}/feed`);
  expect(confirmed.error.details).toEqual({ requiredLevel: 4, level: 3, nextStep: 'contacts' });
});

import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  allPages,
  type Client,
  expectOk,
  idsOf,
  type Json,
  newestFirst,
  refusal,
  withQuery,
} from '../support/client.ts';
import { profileFeedOf } from '../support/feeds.ts';
import { aHub, aHubPost, aMemberOf, type Hub } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, hubReadyPerson, type Person } from '../support/people.ts';
import { aThought, shareToFeed, thoughts } from '../support/posts.ts';

let opine: Opine;
let amara: Person;
let jonas: Person;
let unrelated: Person;
let hub: Hub;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  [amara, unrelated] = [await hubReadyPerson(opine, 'Amara'), await hubReadyPerson(opine, 'Unrelated')];
  hub = await aHub(amara);
  jonas = await aMemberOf(opine, amara, hub, 'Jonas');
});

const requestProfileFeed = (viewer: Client, id: string, query: object = {}) =>
  viewer.get(withQuery(`/users/${id}/feed`, query));

describe('profile feed pages', () => {
  test('pages of every size are full and return each frame once among hidden posts', async () => {
    const posts: Json[] = [];
    for (let index = 0; index < 23; index += 1) {
      const post = index % 2 === 0 ? await aThought(amara) : await aThought(unrelated);
      if (index % 3 !== 0 || index % 2 === 1) await shareToFeed(amara, post);
      await shareToFeed(amara, await aHubPost(amara, [hub]));
      posts.push(post);
    }
    const expected = newestFirst(posts);
    for (let limit = 1; limit <= 50; limit += limit < 25 ? 1 : 5) {
      const pages = await allPages(unrelated, `/users/${amara.id}/feed`, { limit });
      expect(pages.flatMap(idsOf)).toEqual(expected);
      expect(pages).toHaveLength(Math.ceil(posts.length / limit));
    }
    expect(await profileFeedOf(jonas, amara)).toHaveLength(2 * posts.length);
  });

  test('frames with equal timestamps are ordered by id and returned once', async () => {
    const posts = await thoughts(amara, 4);
    for (const post of posts.slice(2)) await shareToFeed(amara, post);
    const { superuser } = opine.database;
    const instant = sql`timestamptz '2026-01-01T00:00:00.123456Z'`;
    await sql`update app.posts set created_at = ${instant} where author_id = ${amara.id}`.execute(superuser);
    await sql`update app.feed_shares set shared_at = ${instant} where user_id = ${amara.id}`.execute(
      superuser,
    );
    for (const limit of [1, 2, 3]) {
      expect(await profileFeedOf(unrelated, amara, { limit })).toEqual(newestFirst(posts));
    }
  });

  test('a post shared again between pages is not repeated', async () => {
    const posts = await thoughts(amara, 4);
    const [first, second, third, fourth] = posts;
    const page = await expectOk(requestProfileFeed(unrelated, amara.id, { limit: 2 }));
    expect(idsOf(page.items)).toEqual([fourth.id, third.id]);
    await shareToFeed(amara, third);
    await aThought(amara);
    const rest = await expectOk(
      requestProfileFeed(unrelated, amara.id, { limit: 2, cursor: page.nextCursor }),
    );
    expect([idsOf(rest.items), rest.nextCursor]).toEqual([[second.id, first.id], null]);
  });

  test('a page has 20 posts by default and 50 at most', async () => {
    await Promise.all(Array.from({ length: 51 }, () => aThought(amara)));
    const path = `/users/${amara.id}/feed`;
    expect((await allPages(unrelated, path)).map(({ length }) => length)).toEqual([20, 20, 11]);
    expect((await allPages(unrelated, path, { limit: 50 })).map(({ length }) => length)).toEqual([50, 1]);
  });

  test.each([
    ['limit', ['0', '51', '-1', '1.5', 'ten', '']],
    ['cursor', ['', 'abc', 'null', 'e30', 'W10=', '\u0000', 'x'.repeat(2000)]],
  ])('an invalid %s answers 422', async (name, values) => {
    for (const value of values) {
      const refused = refusal(422, 'VALIDATION_FAILED', { issues: [{ path: [name] }] });
      for (const viewer of [aGuest(opine), jonas]) {
        expect(await requestProfileFeed(viewer, amara.id, { [name]: value })).toMatchObject(refused);
      }
    }
  });
});

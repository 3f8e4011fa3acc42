import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  allPages,
  expectOk,
  idsOf,
  type Json,
  MALFORMED_IDS,
  NONEXISTENT,
  refusal,
  withQuery,
} from '../support/client.ts';
import { invalid } from '../support/hubs.ts';
import { advanceTime, type Opine, startOpine } from '../support/opine.ts';
import { aGuest, confirmedPerson, type Person, personOfLevel, registeredPerson } from '../support/people.ts';
import {
  aThought,
  type Post,
  requestSavePost,
  requestUnsavePost,
  savedPosts,
  seenBy,
} from '../support/posts.ts';
import { duringTransaction } from '../support/races.ts';

let opine: Opine;
let amara: Person;
/** A reader without saved posts. */
let maya: Person;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  [amara, maya] = [await confirmedPerson(opine, 'Amara'), await registeredPerson(opine, 'Maya')];
});

const PATH = '/users/me/saved-posts';
const NO_POST = refusal(404, 'POST_NOT_FOUND');

/** Publishes `count` posts of `author` and saves each as Maya, one after the other. */
async function publishAndSave(count: number, author = amara): Promise<Json[]> {
  const posts: Json[] = [];
  for (let index = 0; index < count; index += 1) {
    const post = await aThought(author);
    await advanceTime(opine, '1 second');
    await expectOk(requestSavePost(maya, post));
    posts.push(post);
  }
  return posts;
}

const idsLastSavedFirst = (posts: readonly Json[]) => idsOf(posts).reverse();

async function expectNoPost(reader: Person, post: Post): Promise<void> {
  expect(await requestSavePost(reader, post)).toMatchObject(NO_POST);
  expect(await requestUnsavePost(reader, post)).toMatchObject(NO_POST);
}

describe('saving a post', () => {
  test('only the saver sees the post as saved', async () => {
    const post = await aThought(amara);
    const { status, data } = await requestSavePost(maya, post);
    expect([status, data]).toEqual([200, { saved: true }]);
    expect(await savedPosts(maya)).toEqual([post.id]);
    expect((await seenBy(maya, post)).viewerSaved).toBe(true);
    for (const other of [amara, aGuest(opine)]) expect((await seenBy(other, post)).viewerSaved).toBe(false);
    expect(await savedPosts(amara)).toEqual([]);
  });

  test('repeated and concurrent saves keep one entry, and repeated unsaves succeed', async () => {
    const post = await aThought(amara);
    for (const _ of [1, 2]) expect(await expectOk(requestSavePost(maya, post))).toEqual({ saved: true });
    expect(await savedPosts(maya)).toEqual([post.id]);
    for (const _ of [1, 2]) {
      const { status, data } = await requestUnsavePost(maya, post);
      expect([status, data]).toEqual([200, { saved: false }]);
    }
    expect([await savedPosts(maya), (await seenBy(maya, post)).viewerSaved]).toEqual([[], false]);
    await Promise.all(Array.from({ length: 6 }, () => expectOk(requestSavePost(maya, post))));
    expect(await savedPosts(maya)).toEqual([post.id]);
  });

  test('a repeated Idempotency-Key replays the answer without saving again', async () => {
    const post = await aThought(amara);
    const save = () =>
      maya.post(`/posts/${post.id}/save`, undefined, { headers: { 'idempotency-key': 'a-key' } });
    expect((await save()).headers.get('idempotency-replayed')).toBeNull();
    await expectOk(requestUnsavePost(maya, post));
    const again = await save();
    expect([again.status, again.data]).toEqual([200, { saved: true }]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await savedPosts(maya)).toEqual([]);
  });

  test('levels 2 to 4 save posts, and guests and level 1 are refused', async () => {
    const post = await aThought(amara);
    for (const level of [2, 3, 4]) await expectOk(requestSavePost(await personOfLevel(level, opine), post));
    const [guest, anonymous] = [aGuest(opine), await personOfLevel(1, opine)];
    const refused = refusal(403, 'FORBIDDEN', { requiredLevel: 2, level: 1, nextStep: 'profile_basics' });
    for (const [caller, expected] of [
      [guest, refusal(401, 'UNAUTHORIZED')],
      [anonymous, refused],
    ] as const) {
      expect(await requestSavePost(caller, post)).toMatchObject(expected);
      expect(await requestUnsavePost(caller, post)).toMatchObject(expected);
      expect(await caller.get(PATH)).toMatchObject(expected);
    }
  });

  test('a save that waits for a deletion or a block of its author answers 404', async () => {
    const [gone, hidden] = [await aThought(amara), await aThought(amara)];
    const removal = sql`delete from app.posts where id = ${gone.id}`;
    const block = sql`insert into app.blocks (blocker_id, blocked_id) values (${amara.id}, ${maya.id})`;
    for (const [post, change] of [
      [gone, removal],
      [hidden, block],
    ] as const) {
      const late = await duringTransaction(
        opine,
        () => requestSavePost(maya, post),
        async (holder) => {
          await sql`lock table app.saved_posts in share mode`.execute(holder);
          await change.execute(holder);
        },
      );
      expect(late).toMatchObject(NO_POST);
    }
  });

  test('a deleted, unknown or malformed post id answers 404', async () => {
    const gone = await aThought(amara);
    await expectOk(amara.delete(`/posts/${gone.id}`));
    for (const id of [gone.id, NONEXISTENT.id, ...MALFORMED_IDS]) await expectNoPost(maya, { id });
  });
});

describe('GET /users/me/saved-posts', () => {
  test('posts saved and unsaved between pages cause no repeats and no gaps', async () => {
    const posts = await publishAndSave(6);
    const [sixth, fifth, fourth, third, second, first] = idsLastSavedFirst(posts);
    const page = (query: object) => expectOk(maya.get(withQuery(PATH, { limit: 2, ...query })));
    const top = await page({});
    expect(idsOf(top.items)).toEqual([sixth, fifth]);
    for (const id of [fifth, fourth]) await expectOk(requestUnsavePost(maya, { id }));
    await publishAndSave(1);
    const next = await page({ cursor: top.nextCursor });
    expect(idsOf(next.items)).toEqual([third, second]);
    const last = await page({ cursor: next.nextCursor });
    expect([idsOf(last.items), last.nextCursor]).toEqual([[first], null]);
  });

  test('a page has 20 posts by default and 50 at most', async () => {
    const posts = await Promise.all(Array.from({ length: 51 }, () => aThought(amara)));
    await Promise.all(posts.map((post) => expectOk(requestSavePost(maya, post))));
    const sizes = async (query: object) => (await allPages(maya, PATH, query)).map(({ length }) => length);
    expect(await sizes({})).toEqual([20, 20, 11]);
    expect(await sizes({ limit: 50 })).toEqual([50, 1]);
  });

  test.each([
    ['limit', ['0', '51', '-1', '1.5', 'ten', '', '99999999999999999999']],
    ['cursor', ['', 'abc', 'null', 'e30', 'W10=', '\u0000', 'x'.repeat(2000)]],
  ])('an invalid %s answers 422', async (field, values) => {
    await publishAndSave(1);
    for (const value of values) {
      expect(await maya.get(withQuery(PATH, { [field]: value }))).toMatchObject(invalid(field));
    }
  });
});

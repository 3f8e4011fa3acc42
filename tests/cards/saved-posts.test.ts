import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectOk, idsOf, type Json, NONEXISTENT, refusal, withQuery } from '../support/client.ts';
import { block } from '../support/graph.ts';
import { aHub, aHubPost, join, requestLeave } from '../support/hubs.ts';
import { advanceTime, type Opine, startOpine } from '../support/opine.ts';
import { aGuest, confirmedPerson, hubReadyPerson, type Person, registeredPerson } from '../support/people.ts';
import { aThought, requestSavePost, requestUnsavePost, savedPosts, seenBy } from '../support/posts.ts';
import { duringTransaction } from '../support/races.ts';
import { runStaffAction } from '../support/staff.ts';

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

// docs/product.md PO19
describe('unsaving a post that is hidden by now', () => {
  test.each([
    ['a block', () => block(amara, maya)],
    ['a suspension', () => runStaffAction(opine, 'suspend_user', amara)],
    ['the end of an account', () => expectOk(amara.delete('/users/me'))],
  ] as const)('after %s of its author it succeeds, saved or not', async (_, hide) => {
    const [saved, other] = [...(await publishAndSave(1)), await aThought(amara)];
    await hide();
    for (const post of [saved, saved, other])
      expect((await requestUnsavePost(maya, post)).data).toEqual({ saved: false });
    const { rows } = await sql`select from app.saved_posts where user_id = ${maya.id}`.execute(
      opine.database.superuser,
    );
    expect(rows).toEqual([]);
  });

  test('after leaving its Hub it succeeds, and one who never saved a private post gets 404', async () => {
    const [admin, member] = [await hubReadyPerson(opine), await hubReadyPerson(opine)];
    const hub = await aHub(admin);
    await join(admin, hub, [member]);
    const post = await aHubPost(admin, [hub]);
    await expectOk(requestSavePost(member, post));
    await expectOk(requestLeave(member, hub));
    expect(await requestUnsavePost(member, post)).toMatchObject({ status: 200, data: { saved: false } });
    expect(await requestUnsavePost(maya, post)).toMatchObject(NO_POST);
  });

  test('an unknown and a deleted post are 404', async () => {
    const [post] = await publishAndSave(1);
    await expectOk(amara.delete(`/posts/${post?.id}`));
    for (const gone of [post, NONEXISTENT])
      expect(await requestUnsavePost(maya, gone)).toMatchObject(NO_POST);
  });
});

describe('saving a post', () => {
  // docs/product.md PO19
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

  test('a repeated Idempotency-Key answers the state of now without saving again', async () => {
    const post = await aThought(amara);
    const save = () =>
      maya.post(`/posts/${post.id}/save`, undefined, { headers: { 'idempotency-key': 'a-key' } });
    expect((await save()).headers.get('idempotency-replayed')).toBeNull();
    await expectOk(requestUnsavePost(maya, post));
    const again = await save();
    expect([again.status, again.data]).toEqual([200, { saved: false }]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await savedPosts(maya)).toEqual([]);
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
});

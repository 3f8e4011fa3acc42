import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { refusal } from '../support/client.ts';
import { type Post, requestSave, requestUnsave, savedBy } from '../support/frames.ts';
import { amid, granted, NO_IDS, NOBODY } from '../support/graph.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aGuest, aPersonOf, aRegistered, type Person } from '../support/people.ts';
import { aThought, seenBy } from '../support/posts.ts';

let opine: Opine;
let amara: Person;
/** A reader without saved posts. */
let maya: Person;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  [amara, maya] = [await aConfirmed(opine, 'Amara'), await aRegistered(opine, 'Maya')];
});

const PATH = '/users/me/saved-posts';
const NO_POST = refusal(404, 'POST_NOT_FOUND');

async function expectNoPost(reader: Person, post: Post): Promise<void> {
  expect(await requestSave(reader, post)).toMatchObject(NO_POST);
  expect(await requestUnsave(reader, post)).toMatchObject(NO_POST);
}

describe('saving a post', () => {
  test('only the saver sees the post as saved', async () => {
    const post = await aThought(amara);
    const { status, data } = await requestSave(maya, post);
    expect([status, data]).toEqual([200, { saved: true }]);
    expect(await savedBy(maya)).toEqual([post.id]);
    expect((await seenBy(maya, post)).viewerSaved).toBe(true);
    for (const other of [amara, aGuest(opine)]) expect((await seenBy(other, post)).viewerSaved).toBe(false);
    expect(await savedBy(amara)).toEqual([]);
  });

  test('repeated and concurrent saves keep one entry, and repeated unsaves succeed', async () => {
    const post = await aThought(amara);
    for (const _ of [1, 2]) expect(await granted(requestSave(maya, post))).toEqual({ saved: true });
    expect(await savedBy(maya)).toEqual([post.id]);
    for (const _ of [1, 2]) {
      const { status, data } = await requestUnsave(maya, post);
      expect([status, data]).toEqual([200, { saved: false }]);
    }
    expect([await savedBy(maya), (await seenBy(maya, post)).viewerSaved]).toEqual([[], false]);
    await Promise.all(Array.from({ length: 6 }, () => granted(requestSave(maya, post))));
    expect(await savedBy(maya)).toEqual([post.id]);
  });

  test('a repeated Idempotency-Key replays the answer without saving again', async () => {
    const post = await aThought(amara);
    const save = () =>
      maya.post(`/posts/${post.id}/save`, undefined, { headers: { 'idempotency-key': 'a-key' } });
    expect((await save()).headers.get('idempotency-replayed')).toBeNull();
    await granted(requestUnsave(maya, post));
    const again = await save();
    expect([again.status, again.data]).toEqual([200, { saved: true }]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await savedBy(maya)).toEqual([]);
  });

  test('levels 2 to 4 save posts, and guests and level 1 are refused', async () => {
    const post = await aThought(amara);
    for (const level of [2, 3, 4]) await granted(requestSave(await aPersonOf(level, opine), post));
    const [guest, anonymous] = [aGuest(opine), await aPersonOf(1, opine)];
    const refused = refusal(403, 'FORBIDDEN', { requiredLevel: 2, level: 1, nextStep: 'profile_basics' });
    for (const [caller, expected] of [
      [guest, refusal(401, 'UNAUTHORIZED')],
      [anonymous, refused],
    ] as const) {
      expect(await requestSave(caller, post)).toMatchObject(expected);
      expect(await requestUnsave(caller, post)).toMatchObject(expected);
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
      const late = await amid(
        opine,
        () => requestSave(maya, post),
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
    await granted(amara.delete(`/posts/${gone.id}`));
    for (const id of [gone.id, NOBODY.id, ...NO_IDS]) await expectNoPost(maya, { id });
  });
});

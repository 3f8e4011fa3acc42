import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Client, expectOk, idsOf, type Json, refusal } from '../support/client.ts';
import { block, mergeInto, requestBlock, unblock } from '../support/graph.ts';
import { inboxOf } from '../support/inbox.ts';
import { wholeInboxOf } from '../support/notification-worlds.ts';
import { exportOf } from '../support/own-data.ts';
import { aGuest, confirmedPerson, type Person, registeredPerson } from '../support/people.ts';
import { aPng } from '../support/pictures.ts';
import {
  aComment,
  aReply,
  aThought,
  commentCountSeenBy,
  commentsOn,
  remainsOf,
  repliesTo,
  requestComment,
  requestCommentDeletion,
  requestReply,
} from '../support/posts.ts';
import { duringTransaction, outcomeOf } from '../support/races.ts';
import { type OpineWithStorage, startOpineWithStorage } from '../support/storage.ts';
import { anUpload, requestDownload } from '../support/uploads.ts';
import { waitUntilDeleted } from '../support/worker.ts';

let opine: OpineWithStorage;
/** Amara wrote the post; Jonas and Lena comment on it. */
let amara: Person;
let jonas: Person;
let lena: Person;
let post: Json;

beforeAll(async () => {
  opine = await startOpineWithStorage();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  [amara, jonas] = [await confirmedPerson(opine, 'Amara'), await confirmedPerson(opine, 'Jonas')];
  lena = await confirmedPerson(opine, 'Lena');
  post = await aThought(amara);
});

const NO_COMMENT = refusal(404, 'COMMENT_NOT_FOUND');

// docs/product.md C7
describe.each(['Amara', 'Jonas'])('a block by %s of the author or commenter of a post', (blocker) => {
  const pair = (): [Person, Person] => (blocker === 'Amara' ? [amara, jonas] : [jonas, amara]);

  test('comments and counts change for everybody alike, and are back after the block', async () => {
    const root = await aComment(jonas, post, 'My words.');
    const reply = await aReply(lena, post, root);
    const hers = await aComment(lena, post);
    await aReply(jonas, post, hers);
    const viewers: Client[] = [amara, lena, aGuest(opine)];
    const before = await commentsOn(lena, post);
    await block(...pair());
    for (const viewer of viewers) {
      expect(await commentsOn(viewer, post)).toEqual([remainsOf(root, 1), hers]);
      expect(await repliesTo(viewer, post, root)).toEqual([reply]);
      expect(await repliesTo(viewer, post, hers)).toEqual([]);
      expect(await commentCountSeenBy(viewer, post)).toBe(2);
    }
    expect(await requestReply(lena, post, root)).toMatchObject(NO_COMMENT);
    await unblock(...pair());
    for (const viewer of viewers) {
      expect(await commentsOn(viewer, post)).toEqual(before);
      expect(await commentCountSeenBy(viewer, post)).toBe(4);
    }
  });

  test('the author of the post deletes what they see, and the writer what is hidden', async () => {
    const root = await aComment(jonas, post);
    const reply = await aReply(lena, post, root);
    const last = await aComment(jonas, post);
    await block(...pair());
    expect(await requestCommentDeletion(amara, root)).toMatchObject(NO_COMMENT);
    expect(await requestCommentDeletion(amara, reply)).toMatchObject({ status: 200 });
    expect(await commentsOn(amara, post)).toEqual([]);
    expect(await requestCommentDeletion(jonas, last)).toMatchObject({ status: 200 });
    expect(idsOf((await exportOf(jonas)).comments)).toEqual([root.id]);
    await unblock(...pair());
    expect(idsOf(await commentsOn(lena, post))).toEqual([root.id]);
    expect(await commentCountSeenBy(lena, post)).toBe(1);
  });

  test('the picture of a hidden comment is for its writer alone', async () => {
    const { assetId } = await anUpload(jonas, await aPng(), 'post_image');
    await expectOk(requestComment(jonas, post, { assetId }));
    expect(await requestDownload(lena, assetId)).toMatchObject({ status: 200 });
    await block(...pair());
    for (const viewer of [amara, lena])
      expect(await requestDownload(viewer, assetId)).toMatchObject(refusal(404, 'ASSET_NOT_FOUND'));
    expect(await requestDownload(jonas, assetId)).toMatchObject({ status: 200 });
  });

  test('notifications of third people about a hidden comment are hidden until the block ends', async () => {
    const noor = await registeredPerson(opine, 'Noor');
    const root = await aComment(lena, post);
    await aReply(jonas, post, root, `See @${noor.username}.`);
    const before = [await wholeInboxOf(lena), await wholeInboxOf(noor)];
    expect(before.map(([item]) => item?.type)).toEqual(['comment_replied', 'user_mentioned']);
    const { inboxVersion } = await inboxOf(noor);
    await block(...pair());
    for (const person of [lena, noor]) {
      expect(await wholeInboxOf(person)).toEqual([]);
      expect((await inboxOf(person)).unreadCount).toBe(0);
    }
    const hidden = await inboxOf(noor);
    expect(hidden.inboxVersion).toBeGreaterThan(inboxVersion);
    await unblock(...pair());
    expect([await wholeInboxOf(lena), await wholeInboxOf(noor)]).toEqual(before);
    expect((await inboxOf(noor)).inboxVersion).toBeGreaterThan(hidden.inboxVersion);
  });

  test('a comment that is written beside the block is hidden, or 404', async () => {
    for (const first of ['comment', 'block'] as const) {
      const [writer, author] = [await registeredPerson(opine), await confirmedPerson(opine)];
      const thought = await aThought(author);
      const [from, to] = blocker === 'Amara' ? [author, writer] : [writer, author];
      const write = () => requestComment(writer, thought, { text: 'Now.' });
      const sends =
        first === 'comment' ? [write, () => requestBlock(from, to)] : [() => requestBlock(from, to), write];
      const replies = await duringTransaction(
        opine,
        () => Promise.all(sends.map((send) => send())),
        async (holder) => {
          // Stops the comment behind its checks, and the block behind its insert.
          await sql`select from app.posts where id = ${thought.id} for update`.execute(holder);
        },
      );
      const [commented, blocked] = first === 'comment' ? replies : [replies[1], replies[0]];
      if (commented === undefined || blocked === undefined) throw new Error('A request was not answered.');
      expect(blocked.status).toBe(200);
      expect([201, 'POST_NOT_FOUND']).toContain(outcomeOf(commented));
      for (const viewer of [author, lena, aGuest(opine)]) {
        expect(await commentsOn(viewer, thought)).toEqual([]);
        expect(await commentCountSeenBy(viewer, thought)).toBe(0);
      }
    }
  });
});

test('a comment in progress is hidden by a block that is made before it is committed', async () => {
  const late = await duringTransaction(
    opine,
    () => requestBlock(amara, jonas),
    async (holder) => {
      // As create_comment does, whose transaction is still open.
      await sql`select app.lock_pair_of(${post.id}, ${jonas.id})`.execute(holder);
      await sql`insert into app.comments (post_id, author_id, body) values (${post.id}, ${jonas.id}, 'Now.')`.execute(
        holder,
      );
    },
  );
  expect(late.status).toBe(200);
  expect(await commentsOn(lena, post)).toEqual([]);
  expect(await commentCountSeenBy(lena, post)).toBe(0);
});

test("a comment waits for a block of its post's author in progress, and is 404", async () => {
  const late = await duringTransaction(
    opine,
    () => requestComment(jonas, post, { text: 'Now.' }),
    async (holder) => {
      await sql`select app.lock_pair(${amara.id}, ${jonas.id})`.execute(holder);
      await sql`insert into app.blocks (blocker_id, blocked_id) values (${amara.id}, ${jonas.id})`.execute(
        holder,
      );
    },
  );
  expect(late).toMatchObject(refusal(404, 'POST_NOT_FOUND'));
});

// docs/product.md C8
describe('own words in a thread of a blocked person', () => {
  /** Amara begins a thread on Lena's post in which Jonas and Noor reply. */
  let thought: Json;
  let root: Json;
  let own: Json;
  let third: Json;

  beforeEach(async () => {
    thought = await aThought(lena);
    root = await aComment(amara, thought, 'My words.');
    own = await aReply(jonas, thought, root);
    third = await aReply(await registeredPerson(opine, 'Noor'), thought, root);
    await aReply(amara, thought, root);
  });

  test.each(['Amara', 'Jonas'])(
    'after a block by %s the root looks deleted, and own replies are listed with those of third people',
    async (blocker) => {
      await block(...((blocker === 'Amara' ? [amara, jonas] : [jonas, amara]) as [Person, Person]));
      expect(await commentsOn(jonas, thought)).toEqual([remainsOf(root, 3)]);
      expect(await repliesTo(jonas, thought, root)).toEqual([own, third]);
      expect(await commentCountSeenBy(jonas, thought)).toBe(4);
      // The others see the whole thread.
      expect(idsOf(await commentsOn(lena, thought))).toEqual([root.id]);
      expect(await repliesTo(lena, thought, root)).toHaveLength(3);
      await expectOk(requestCommentDeletion(jonas, own));
      expect(await commentsOn(jonas, thought)).toEqual([]);
      expect(await jonas.get(`/posts/${thought.id}/comments?parentCommentId=${root.id}`)).toMatchObject(
        NO_COMMENT,
      );
    },
  );
});

test('the end of an account during a block leaves the counts of others right', async () => {
  const root = await aComment(jonas, post);
  await aReply(lena, post, root);
  await aComment(lena, post);
  await block(amara, jonas);
  await expectOk(jonas.delete('/users/me'));
  await waitUntilDeleted(opine, jonas.id);
  expect(await commentCountSeenBy(lena, post)).toBe(2);
  expect((await commentsOn(lena, post)).map(({ isDeleted }) => isDeleted)).toEqual([true, false]);
});

test('a merge hides comments by the blocks of the anonymous account', async () => {
  const install = await registeredPerson(opine);
  await aComment(install, post);
  await block(install, amara);
  await aComment(jonas, post);
  expect(await commentCountSeenBy(lena, post)).toBe(1);
  const merged = await mergeInto(opine, install, jonas);
  expect(await commentsOn(lena, post)).toEqual([]);
  expect(await commentCountSeenBy(lena, post)).toBe(0);
  await unblock(merged, amara);
  expect(await commentsOn(lena, post)).toHaveLength(2);
  expect(await commentCountSeenBy(lena, post)).toBe(2);
});

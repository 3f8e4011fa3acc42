import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Client, expectOk, type Json, type Reply, refusal } from '../support/client.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, confirmedPerson, type Person, registeredPerson } from '../support/people.ts';
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
import { duringTransaction, outcomeOf, ROUNDS } from '../support/races.ts';

let opine: Opine;
/** Amara wrote the post; Jonas and Lena comment on it. */
let amara: Person;
let jonas: Person;
let lena: Person;
let post: Json;

beforeAll(async () => {
  opine = await startOpine();
  amara = await confirmedPerson(opine, 'Amara');
  [jonas, lena] = [await registeredPerson(opine, 'Jonas'), await registeredPerson(opine, 'Lena')];
});

afterAll(() => opine.stop());

beforeEach(async () => {
  post = await aThought(amara);
});

const NO_COMMENT = refusal(404, 'COMMENT_NOT_FOUND');
const NO_POST = refusal(404, 'POST_NOT_FOUND');

const commentCount = () => commentCountSeenBy(aGuest(opine), post);
const deleteComment = (person: Client, comment: Json) => expectOk(requestCommentDeletion(person, comment));

describe('a request during an uncommitted change', () => {
  const deletionOf = (table: 'comments' | 'posts', { id }: Json) =>
    sql`delete from ${sql.table(`app.${table}`)} where id = ${id}`;
  /** Sends `request` while `change` is executed and not yet committed; returns the reply. */
  const sendDuring = (change: RawBuilder<unknown>, request: () => Promise<Reply>) =>
    duringTransaction(opine, request, async (holder) => {
      await change.execute(holder);
    });
  const commentAs = (author: Client) => requestComment(author, post, { text: 'Late.' });

  test('a root under deletion accepts neither a reply nor a second deletion', async () => {
    const requests = [
      (root: Json) => requestReply(amara, post, root),
      (root: Json) => requestCommentDeletion(amara, root),
    ];
    for (const send of requests) {
      const root = await aComment(jonas, post);
      expect(await sendDuring(deletionOf('comments', root), () => send(root))).toMatchObject(NO_COMMENT);
      expect(await commentsOn(amara, post)).toEqual([]);
    }
  });

  test('a post under deletion accepts neither a comment nor the deletion of one', async () => {
    const comment = await aComment(jonas, post);
    const removed = await sendDuring(deletionOf('posts', post), () => requestCommentDeletion(jonas, comment));
    expect(removed).toMatchObject(NO_COMMENT);
    post = await aThought(amara);
    expect(await sendDuring(deletionOf('posts', post), () => commentAs(lena))).toMatchObject(NO_POST);
  });

  test('a comment is 404 if its post is deleted or blocked between look-up and insert', async () => {
    const noor = await registeredPerson(opine, 'Noor');
    const block = sql`insert into app.blocks (blocker_id, blocked_id) values (${amara.id}, ${noor.id})`;
    for (const change of [block, deletionOf('posts', post)]) {
      const late = await duringTransaction(
        opine,
        () => commentAs(change === block ? noor : lena),
        async (holder) => {
          // The lock lets the request find the post and stops its insert until the change commits.
          await sql`lock table app.comments in share mode`.execute(holder);
          await change.execute(holder);
        },
      );
      expect(late).toMatchObject(NO_POST);
    }
  });
});

describe.each(ROUNDS)('two concurrent requests, round %i', (round) => {
  /**
   * Returns the replies to both requests. In even rounds a lock holds both until both are sent; in the last two rounds
   * the second request goes first.
   */
  async function race(one: () => Promise<Reply>, other: () => Promise<Reply>): Promise<[Reply, Reply]> {
    const [first, second] = round > 2 ? [other, one] : [one, other];
    let started: Promise<Reply> | undefined;
    const late =
      round % 2 === 0
        ? await duringTransaction(opine, second, async (holder) => {
            await sql`lock table app.comments in share mode`.execute(holder);
            started = first();
          })
        : undefined;
    const replies = late === undefined ? await Promise.all([first(), second()]) : [await started, late];
    const [a, b] = round > 2 ? replies.toReversed() : replies;
    if (a === undefined || b === undefined) throw new Error('No request was sent.');
    return [a, b];
  }

  test('a reply concurrent with the deletion of its root joins the thread or is 404', async () => {
    const root = await aComment(jonas, post);
    const [replied, removed] = await race(
      () => requestReply(lena, post, root),
      () => requestCommentDeletion(jonas, root),
    );
    expect(removed.status).toBe(200);
    expect([201, 'COMMENT_NOT_FOUND']).toContain(outcomeOf(replied));
    const accepted = replied.status === 201;
    expect(await commentsOn(amara, post)).toEqual(accepted ? [remainsOf(root, 1)] : []);
    if (accepted) expect(await repliesTo(amara, post, root)).toEqual([replied.data]);
    expect(await commentCount()).toBe(accepted ? 1 : 0);
  });

  test('two deletions of one comment delete it once', async () => {
    const [comment, kept] = [await aComment(jonas, post), await aComment(jonas, post)];
    const replies = await race(
      () => requestCommentDeletion(jonas, comment),
      () => requestCommentDeletion(amara, comment),
    );
    expect(replies.map(outcomeOf).map(String).sort()).toEqual(['200', 'COMMENT_NOT_FOUND']);
    expect(await commentsOn(lena, post)).toEqual([kept]);
    expect(await commentCount()).toBe(1);
  });

  test('deletions of a root and its last reply leave nothing', async () => {
    const root = await aComment(jonas, post);
    const reply = await aReply(lena, post, root);
    const replies = await race(
      () => requestCommentDeletion(jonas, root),
      () => requestCommentDeletion(lena, reply),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(await commentsOn(amara, post)).toEqual([]);
    expect(await commentCount()).toBe(0);
  });

  test('deletions of the last two replies to a tombstone leave nothing', async () => {
    const root = await aComment(jonas, post);
    const [one, other] = [await aReply(lena, post, root), await aReply(lena, post, root)];
    await deleteComment(jonas, root);
    const replies = await race(
      () => requestCommentDeletion(lena, one),
      () => requestCommentDeletion(lena, other),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(await commentsOn(amara, post)).toEqual([]);
    expect(await commentCount()).toBe(0);
  });

  test('deletions of a comment and its post delete both', async () => {
    const root = await aComment(jonas, post);
    await aReply(lena, post, root);
    const [removed, postDeletion] = await race(
      () => requestCommentDeletion(jonas, root),
      () => amara.delete(`/posts/${post.id}`),
    );
    expect(postDeletion.status).toBe(200);
    expect([200, 'COMMENT_NOT_FOUND']).toContain(outcomeOf(removed));
    expect(await lena.get(`/posts/${post.id}/comments`)).toMatchObject(NO_POST);
  });

  test('a comment concurrent with the deletion of its post is never visible', async () => {
    const [commented, removed] = await race(
      () => requestComment(lena, post, { text: 'Late.' }),
      () => amara.delete(`/posts/${post.id}`),
    );
    expect(removed.status).toBe(200);
    expect([201, 'POST_NOT_FOUND']).toContain(outcomeOf(commented));
    expect(await lena.get(`/posts/${post.id}/comments`)).toMatchObject(NO_POST);
    if (commented.status === 201)
      expect(await requestCommentDeletion(lena, commented.data)).toMatchObject(NO_COMMENT);
  });
});

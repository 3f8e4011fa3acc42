import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Client, type Json, type Reply, refusal } from '../support/client.ts';
import { aReply, commentCountSeenBy, remainsOf, repliesTo, requestReply } from '../support/comments.ts';
import { aComment, commentsOn, requestComment, requestCommentDeletion } from '../support/frames.ts';
import { amid, granted } from '../support/graph.ts';
import { ROUNDS } from '../support/hub-races.ts';
import { outcomeOf } from '../support/invitations.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aGuest, aRegistered, type Person } from '../support/people.ts';
import { aThought } from '../support/posts.ts';

let opine: Opine;
/** Whose post it is, and two who comment on it. */
let amara: Person;
let jonas: Person;
let lena: Person;
let post: Json;

beforeAll(async () => {
  opine = await startOpine();
  amara = await aConfirmed(opine, 'Amara');
  [jonas, lena] = [await aRegistered(opine, 'Jonas'), await aRegistered(opine, 'Lena')];
});

afterAll(() => opine.stop());

beforeEach(async () => {
  post = await aThought(amara);
});

const NO_COMMENT = refusal(404, 'COMMENT_NOT_FOUND');
const NO_POST = refusal(404, 'POST_NOT_FOUND');

const countOf = () => commentCountSeenBy(aGuest(opine), post);
const remove = (person: Client, comment: Json) => granted(requestCommentDeletion(person, comment));

describe('while it is going,', () => {
  const going = (table: 'comments' | 'posts', { id }: Json) =>
    sql`delete from ${sql.table(`app.${table}`)} where id = ${id}`;
  /** What is answered to `act`, which comes when `change` is made and not yet committed. */
  const amidChange = (change: RawBuilder<unknown>, act: () => Promise<Reply>) =>
    amid(opine, act, async (holder) => {
      await change.execute(holder);
    });
  const say = (author: Client) => requestComment(author, post, { text: 'Late.' });

  test('a root has no new reply, and is not removed again', async () => {
    const asks = [
      (root: Json) => requestReply(amara, post, root),
      (root: Json) => requestCommentDeletion(amara, root),
    ];
    for (const ask of asks) {
      const root = await aComment(jonas, post);
      expect(await amidChange(going('comments', root), () => ask(root))).toMatchObject(NO_COMMENT);
      expect(await commentsOn(amara, post)).toEqual([]);
    }
  });

  test('a post has no new comment, and none of its own is removed', async () => {
    const comment = await aComment(jonas, post);
    const removed = await amidChange(going('posts', post), () => requestCommentDeletion(jonas, comment));
    expect(removed).toMatchObject(NO_COMMENT);
    post = await aThought(amara);
    expect(await amidChange(going('posts', post), () => say(lena))).toMatchObject(NO_POST);
  });

  test('or hidden by a block, a post that was found has no new comment', async () => {
    const noor = await aRegistered(opine, 'Noor');
    const block = sql`insert into app.blocks (blocker_id, blocked_id) values (${amara.id}, ${noor.id})`;
    for (const change of [block, going('posts', post)]) {
      const late = await amid(
        opine,
        () => say(change === block ? noor : lena),
        async (holder) => {
          // The post is looked for before it goes, and the comment written after.
          await sql`lock table app.comments in share mode`.execute(holder);
          await change.execute(holder);
        },
      );
      expect(late).toMatchObject(NO_POST);
    }
  });
});

describe.each(ROUNDS)('at once, in round %i,', (round) => {
  /** The answers to both: in even rounds neither writes before both are asked, in the last two the other comes first. */
  async function meet(one: () => Promise<Reply>, other: () => Promise<Reply>): Promise<[Reply, Reply]> {
    const [first, second] = round > 2 ? [other, one] : [one, other];
    let begun: Promise<Reply> | undefined;
    const late =
      round % 2 === 0
        ? await amid(opine, second, async (holder) => {
            await sql`lock table app.comments in share mode`.execute(holder);
            begun = first();
          })
        : undefined;
    const replies = late === undefined ? await Promise.all([first(), second()]) : [await begun, late];
    const [a, b] = round > 2 ? replies.toReversed() : replies;
    if (a === undefined || b === undefined) throw new Error('Nothing was asked.');
    return [a, b];
  }

  test('a reply comes while its root is removed: it is in a thread, or refused', async () => {
    const root = await aComment(jonas, post);
    const [replied, removed] = await meet(
      () => requestReply(lena, post, root),
      () => requestCommentDeletion(jonas, root),
    );
    expect(removed.status).toBe(200);
    expect([201, 'COMMENT_NOT_FOUND']).toContain(outcomeOf(replied));
    const isThere = replied.status === 201;
    expect(await commentsOn(amara, post)).toEqual(isThere ? [remainsOf(root, 1)] : []);
    if (isThere) expect(await repliesTo(amara, post, root)).toEqual([replied.data]);
    expect(await countOf()).toBe(isThere ? 1 : 0);
  });

  test('two remove one comment: it is removed once', async () => {
    const [comment, stays] = [await aComment(jonas, post), await aComment(jonas, post)];
    const replies = await meet(
      () => requestCommentDeletion(jonas, comment),
      () => requestCommentDeletion(amara, comment),
    );
    expect(replies.map(outcomeOf).map(String).sort()).toEqual(['200', 'COMMENT_NOT_FOUND']);
    expect(await commentsOn(lena, post)).toEqual([stays]);
    expect(await countOf()).toBe(1);
  });

  test('a root and its last reply are removed: nothing stays', async () => {
    const root = await aComment(jonas, post);
    const below = await aReply(lena, post, root);
    const replies = await meet(
      () => requestCommentDeletion(jonas, root),
      () => requestCommentDeletion(lena, below),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(await commentsOn(amara, post)).toEqual([]);
    expect(await countOf()).toBe(0);
  });

  test('the last two replies to a removed root are removed: nothing stays', async () => {
    const root = await aComment(jonas, post);
    const [one, other] = [await aReply(lena, post, root), await aReply(lena, post, root)];
    await remove(jonas, root);
    const replies = await meet(
      () => requestCommentDeletion(lena, one),
      () => requestCommentDeletion(lena, other),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(await commentsOn(amara, post)).toEqual([]);
    expect(await countOf()).toBe(0);
  });

  test('a comment and its post are removed: each is, or was before', async () => {
    const root = await aComment(jonas, post);
    await aReply(lena, post, root);
    const [removed, gone] = await meet(
      () => requestCommentDeletion(jonas, root),
      () => amara.delete(`/posts/${post.id}`),
    );
    expect(gone.status).toBe(200);
    expect([200, 'COMMENT_NOT_FOUND']).toContain(outcomeOf(removed));
    expect(await lena.get(`/posts/${post.id}/comments`)).toMatchObject(NO_POST);
  });

  test('a comment comes while its post is removed: nothing of it is to be seen', async () => {
    const [said, removed] = await meet(
      () => requestComment(lena, post, { text: 'Late.' }),
      () => amara.delete(`/posts/${post.id}`),
    );
    expect(removed.status).toBe(200);
    expect([201, 'POST_NOT_FOUND']).toContain(outcomeOf(said));
    expect(await lena.get(`/posts/${post.id}/comments`)).toMatchObject(NO_POST);
    if (said.status === 201) expect(await requestCommentDeletion(lena, said.data)).toMatchObject(NO_COMMENT);
  });
});

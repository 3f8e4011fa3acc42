import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Client, type Json, refusal } from '../support/client.ts';
import { aComment, commentsOn, requestComment, requestCommentDeletion } from '../support/frames.ts';
import { block, everyPage, granted, idsOf, NOBODY, unblock, withQuery } from '../support/graph.ts';
import { invalid } from '../support/hub-worlds.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aGuest, aRegistered, type Person } from '../support/people.ts';
import { aThought, seenBy } from '../support/posts.ts';

let opine: Opine;
let amara: Person;
let jonas: Person;
/** A public post of Amara's. */
let post: Json;

beforeAll(async () => {
  opine = await startOpine();
  [amara, jonas] = [await aConfirmed(opine, 'Amara'), await aRegistered(opine, 'Jonas')];
});

afterAll(() => opine.stop());

beforeEach(async () => {
  post = await aThought(amara);
});

const NO_COMMENT = refusal(404, 'COMMENT_NOT_FOUND');

const ask = (viewer: Client, query: object = {}) =>
  viewer.get(withQuery(`/posts/${post.id}/comments`, query));
const pages = (viewer: Client, query: object = {}) => everyPage(viewer, `/posts/${post.id}/comments`, query);
const repliesTo = (viewer: Client, { id }: Json) => commentsOn(viewer, post, { parentCommentId: id });

/** A comment of `author`'s below another. */
const aReply = (author: Client, { id }: Json, text = 'Quite.'): Promise<Json> =>
  aComment(author, post, text, { parentCommentId: id });

/** `count` comments, turn and turn about, the oldest first. */
async function severalComments(count: number): Promise<Json[]> {
  const comments: Json[] = [];
  for (let index = 0; index < count; index += 1) {
    comments.push(await aComment(index % 2 === 0 ? amara : jonas, post, `No. ${index}`));
  }
  return comments;
}

describe('a thread', () => {
  test('is one level deep: a reply to a reply is one to its root', async () => {
    const root = await aComment(amara, post, 'Is it loud?');
    const reply = await aReply(jonas, root, 'Not here.');
    const deeper = await aReply(amara, reply, 'Lucky you.');
    for (const each of [reply, deeper]) {
      expect(each).toMatchObject({ postId: post.id, parentCommentId: root.id, replyCount: 0 });
    }
    for (const viewer of [jonas, aGuest(opine)]) {
      expect(await commentsOn(viewer, post)).toEqual([{ ...root, replyCount: 2 }]);
      expect(await repliesTo(viewer, root)).toEqual([reply, deeper]);
    }
    expect((await seenBy(jonas, post)).commentCount).toBe(3);
  });

  test('holds its own replies and no others', async () => {
    const [one, other] = [await aComment(amara, post), await aComment(amara, post)];
    const reply = await aReply(jonas, one);
    expect(await repliesTo(amara, one)).toEqual([reply]);
    expect(await repliesTo(amara, other)).toEqual([]);
    expect((await commentsOn(amara, post)).map(({ replyCount }) => replyCount)).toEqual([1, 0]);
  });

  test('begins with a comment on that post, and with no reply', async () => {
    const beside = await aComment(amara, await aThought(amara));
    const reply = await aReply(amara, await aComment(amara, post));
    for (const { id } of [NOBODY, beside, reply]) {
      expect(await ask(amara, { parentCommentId: id })).toMatchObject(NO_COMMENT);
    }
    for (const { id } of [NOBODY, beside]) {
      expect(await requestComment(amara, post, { text: 'Hi.', parentCommentId: id })).toMatchObject(
        NO_COMMENT,
      );
    }
    expect((await seenBy(amara, post)).commentCount).toBe(2);
  });

  test('of replies at once counts each', async () => {
    const root = await aComment(amara, post);
    const writers = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? amara : jonas));
    await Promise.all(writers.flatMap((writer) => [aReply(writer, root), aComment(writer, post)]));
    const [first, ...others] = await commentsOn(amara, post);
    expect(first).toEqual({ ...root, replyCount: 10 });
    expect(others.map(({ replyCount }) => replyCount)).toEqual(Array(10).fill(0));
    expect(await repliesTo(jonas, root)).toHaveLength(10);
    expect((await seenBy(amara, post)).commentCount).toBe(21);
  });

  test('counts a removed reply no longer', async () => {
    const root = await aComment(amara, post);
    const [one, other] = [await aReply(jonas, root), await aReply(jonas, root)];
    await granted(requestCommentDeletion(jonas, one));
    expect(await commentsOn(amara, post)).toEqual([{ ...root, replyCount: 1 }]);
    expect(await repliesTo(amara, root)).toEqual([other]);
  });
});

describe('comments', () => {
  test.each([1, 2, 3, 4, 5, 6, 100])('come by pages of %i, the oldest first, each once', async (limit) => {
    const comments = await severalComments(5);
    const replies: Json[] = [];
    for (const { id } of comments) replies.push(await aReply(jonas, comments[1], id));
    for (const [query, items] of [
      [{}, comments],
      [{ parentCommentId: comments[1].id }, replies],
    ] as const) {
      const walked = await pages(jonas, { limit, ...query });
      expect(walked.flatMap(idsOf)).toEqual(idsOf(items));
      expect(walked).toHaveLength(Math.ceil(5 / limit));
    }
  });

  test('of one instant are each there once', async () => {
    const comments = await severalComments(5);
    await sql`
      update app.comments set created_at = '2026-01-01T00:00:00.123456Z' where post_id = ${post.id}
    `.execute(opine.database.superuser);
    for (const limit of [1, 2, 3]) {
      expect((await pages(amara, { limit })).flatMap(idsOf).sort()).toEqual(idsOf(comments).sort());
    }
  });

  test('that come and go meanwhile are neither repeated nor skipped', async () => {
    const [first, second, third, fourth, fifth] = await severalComments(5);
    const top = await granted(ask(amara, { limit: 2 }));
    expect(idsOf(top.items)).toEqual(idsOf([first, second]));
    for (const gone of [second, third]) await granted(requestCommentDeletion(amara, gone));
    const sixth = await aComment(jonas, post);
    const next = await granted(ask(amara, { limit: 2, cursor: top.nextCursor }));
    expect(idsOf(next.items)).toEqual(idsOf([fourth, fifth]));
    const last = await granted(ask(amara, { limit: 2, cursor: next.nextCursor }));
    expect([idsOf(last.items), last.nextCursor]).toEqual([[sixth.id], null]);
  });

  test('that a block hides leave pages full', async () => {
    const comments = await severalComments(10);
    const viewer = await aRegistered(opine, 'Lena');
    await block(viewer, jonas);
    const walked = await pages(viewer, { limit: 2 });
    expect(walked.flatMap(idsOf)).toEqual(idsOf(comments.filter(({ author }) => author.id === amara.id)));
    expect(walked.map(({ length }) => length)).toEqual([2, 2, 1]);
    await unblock(viewer, jonas);
    expect((await pages(viewer, { limit: 2 })).flatMap(idsOf)).toEqual(idsOf(comments));
  });

  test('end where nothing visible is left, however much is hidden', async () => {
    const viewer = await aRegistered(opine, 'Lena');
    const own = await aComment(viewer, post);
    await Promise.all(Array.from({ length: 60 }, () => aComment(jonas, post)));
    await block(jonas, viewer);
    const { items, nextCursor } = await granted(ask(viewer, { limit: 1 }));
    expect([idsOf(items), nextCursor]).toEqual([[own.id], null]);
  });

  test('are thirty to a page unless asked, and at most a hundred', async () => {
    await Promise.all(Array.from({ length: 101 }, () => aComment(jonas, post)));
    const sizes = async (query: object) => (await pages(amara, query)).map(({ length }) => length);
    expect(await sizes({})).toEqual([30, 30, 30, 11]);
    expect(await sizes({ limit: 100 })).toEqual([100, 1]);
  });

  test.each([
    ['limit', ['0', '101', '-1', '1.5', 'ten', '', '99999999999999999999']],
    ['cursor', ['', 'abc', 'null', 'e30', 'W10=', '\u0000', 'x'.repeat(2000)]],
    ['parentCommentId', ['', 'garlic', '1', `${NOBODY.id}0`]],
  ])('have no odd %s', async (field, values) => {
    await severalComments(1);
    for (const value of values) expect(await ask(amara, { [field]: value })).toMatchObject(invalid(field));
  });
});

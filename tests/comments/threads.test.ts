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

const listComments = (viewer: Client, query: object = {}) =>
  viewer.get(withQuery(`/posts/${post.id}/comments`, query));
const pages = (viewer: Client, query: object = {}) => everyPage(viewer, `/posts/${post.id}/comments`, query);
const repliesTo = (viewer: Client, { id }: Json) => commentsOn(viewer, post, { parentCommentId: id });

/** Replies to a comment as `author`. */
const replyTo = (author: Client, { id }: Json, text = 'Quite.'): Promise<Json> =>
  aComment(author, post, text, { parentCommentId: id });

/** Creates `count` comments, alternately by Amara and Jonas; returns them oldest first. */
async function createComments(count: number): Promise<Json[]> {
  const comments: Json[] = [];
  for (let index = 0; index < count; index += 1) {
    comments.push(await aComment(index % 2 === 0 ? amara : jonas, post, `No. ${index}`));
  }
  return comments;
}

describe('a thread of comments', () => {
  test('a reply to a reply joins the thread of the root', async () => {
    const root = await aComment(amara, post, 'Is it loud?');
    const reply = await replyTo(jonas, root, 'Not here.');
    const deeper = await replyTo(amara, reply, 'Lucky you.');
    for (const each of [reply, deeper]) {
      expect(each).toMatchObject({ postId: post.id, parentCommentId: root.id, replyCount: 0 });
    }
    for (const viewer of [jonas, aGuest(opine)]) {
      expect(await commentsOn(viewer, post)).toEqual([{ ...root, replyCount: 2 }]);
      expect(await repliesTo(viewer, root)).toEqual([reply, deeper]);
    }
    expect((await seenBy(jonas, post)).commentCount).toBe(3);
  });

  test('a thread lists only its own replies', async () => {
    const [one, other] = [await aComment(amara, post), await aComment(amara, post)];
    const reply = await replyTo(jonas, one);
    expect(await repliesTo(amara, one)).toEqual([reply]);
    expect(await repliesTo(amara, other)).toEqual([]);
    expect((await commentsOn(amara, post)).map(({ replyCount }) => replyCount)).toEqual([1, 0]);
  });

  test('a comment of another post and a reply are no root of a thread', async () => {
    const onOtherPost = await aComment(amara, await aThought(amara));
    const reply = await replyTo(amara, await aComment(amara, post));
    for (const { id } of [NOBODY, onOtherPost, reply]) {
      expect(await listComments(amara, { parentCommentId: id })).toMatchObject(NO_COMMENT);
    }
    for (const { id } of [NOBODY, onOtherPost]) {
      expect(await requestComment(amara, post, { text: 'Hi.', parentCommentId: id })).toMatchObject(
        NO_COMMENT,
      );
    }
    expect((await seenBy(amara, post)).commentCount).toBe(2);
  });

  test('the root counts every one of ten concurrent replies', async () => {
    const root = await aComment(amara, post);
    const writers = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? amara : jonas));
    await Promise.all(writers.flatMap((writer) => [replyTo(writer, root), aComment(writer, post)]));
    const [first, ...others] = await commentsOn(amara, post);
    expect(first).toEqual({ ...root, replyCount: 10 });
    expect(others.map(({ replyCount }) => replyCount)).toEqual(Array(10).fill(0));
    expect(await repliesTo(jonas, root)).toHaveLength(10);
    expect((await seenBy(amara, post)).commentCount).toBe(21);
  });

  test('the root does not count a deleted reply', async () => {
    const root = await aComment(amara, post);
    const [one, other] = [await replyTo(jonas, root), await replyTo(jonas, root)];
    await granted(requestCommentDeletion(jonas, one));
    expect(await commentsOn(amara, post)).toEqual([{ ...root, replyCount: 1 }]);
    expect(await repliesTo(amara, root)).toEqual([other]);
  });
});

describe('GET /posts/{postId}/comments', () => {
  test.each([1, 2, 3, 4, 5, 6, 100])('pages of %i list each comment once, oldest first', async (limit) => {
    const comments = await createComments(5);
    const replies: Json[] = [];
    for (const { id } of comments) replies.push(await replyTo(jonas, comments[1], id));
    for (const [query, items] of [
      [{}, comments],
      [{ parentCommentId: comments[1].id }, replies],
    ] as const) {
      const listed = await pages(jonas, { limit, ...query });
      expect(listed.flatMap(idsOf)).toEqual(idsOf(items));
      expect(listed).toHaveLength(Math.ceil(5 / limit));
    }
  });

  test('pagination lists comments with equal timestamps once each', async () => {
    const comments = await createComments(5);
    await sql`
      update app.comments set created_at = '2026-01-01T00:00:00.123456Z' where post_id = ${post.id}
    `.execute(opine.database.superuser);
    for (const limit of [1, 2, 3]) {
      expect((await pages(amara, { limit })).flatMap(idsOf).sort()).toEqual(idsOf(comments).sort());
    }
  });

  test('pagination neither repeats nor skips comments while others are created and deleted', async () => {
    const [first, second, third, fourth, fifth] = await createComments(5);
    const firstPage = await granted(listComments(amara, { limit: 2 }));
    expect(idsOf(firstPage.items)).toEqual(idsOf([first, second]));
    for (const deleted of [second, third]) await granted(requestCommentDeletion(amara, deleted));
    const sixth = await aComment(jonas, post);
    const secondPage = await granted(listComments(amara, { limit: 2, cursor: firstPage.nextCursor }));
    expect(idsOf(secondPage.items)).toEqual(idsOf([fourth, fifth]));
    const thirdPage = await granted(listComments(amara, { limit: 2, cursor: secondPage.nextCursor }));
    expect([idsOf(thirdPage.items), thirdPage.nextCursor]).toEqual([[sixth.id], null]);
  });

  test('pages stay full without the comments of a blocked pair', async () => {
    const comments = await createComments(10);
    const viewer = await aRegistered(opine, 'Lena');
    await block(viewer, jonas);
    const listed = await pages(viewer, { limit: 2 });
    expect(listed.flatMap(idsOf)).toEqual(idsOf(comments.filter(({ author }) => author.id === amara.id)));
    expect(listed.map(({ length }) => length)).toEqual([2, 2, 1]);
    await unblock(viewer, jonas);
    expect((await pages(viewer, { limit: 2 })).flatMap(idsOf)).toEqual(idsOf(comments));
  });

  test('a page is the last one if only hidden comments follow', async () => {
    const viewer = await aRegistered(opine, 'Lena');
    const own = await aComment(viewer, post);
    await Promise.all(Array.from({ length: 60 }, () => aComment(jonas, post)));
    await block(jonas, viewer);
    const { items, nextCursor } = await granted(listComments(viewer, { limit: 1 }));
    expect([idsOf(items), nextCursor]).toEqual([[own.id], null]);
  });

  test('a page has 30 comments by default and at most 100', async () => {
    await Promise.all(Array.from({ length: 101 }, () => aComment(jonas, post)));
    const sizes = async (query: object) => (await pages(amara, query)).map(({ length }) => length);
    expect(await sizes({})).toEqual([30, 30, 30, 11]);
    expect(await sizes({ limit: 100 })).toEqual([100, 1]);
  });

  test.each([
    ['limit', ['0', '101', '-1', '1.5', 'ten', '', '99999999999999999999']],
    ['cursor', ['', 'abc', 'null', 'e30', 'W10=', '\u0000', 'x'.repeat(2000)]],
    ['parentCommentId', ['', 'garlic', '1', `${NOBODY.id}0`]],
  ])('a malformed %s is 422', async (field, values) => {
    await createComments(1);
    for (const value of values)
      expect(await listComments(amara, { [field]: value })).toMatchObject(invalid(field));
  });
});

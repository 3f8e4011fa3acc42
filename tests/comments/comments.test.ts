import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  allPages,
  type Client,
  clientOf,
  expectOk,
  idsOf,
  type Json,
  MALFORMED_IDS,
  NONEXISTENT,
  refusal,
  withQuery,
} from '../support/client.ts';
import { homePage } from '../support/feeds.ts';
import { block, follow, profileSeenBy } from '../support/graph.ts';
import { invalid } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import {
  aGuest,
  anonymousPerson,
  confirmedPerson,
  type Person,
  registeredPerson,
} from '../support/people.ts';
import {
  aComment,
  aReply,
  aThought,
  commentsOn,
  type Post,
  repliesTo,
  requestComment,
  requestCommentDeletion,
  seenBy,
} from '../support/posts.ts';

let opine: Opine;
let amara: Person;
let jonas: Person;
/** A public post of Amara's. */
let post: Json;

beforeAll(async () => {
  opine = await startOpine();
  [amara, jonas] = [await confirmedPerson(opine, 'Amara'), await registeredPerson(opine, 'Jonas')];
});

afterAll(() => opine.stop());

beforeEach(async () => {
  post = await aThought(amara);
});

const NO_POST = refusal(404, 'POST_NOT_FOUND');
const listComments = (viewer: Client, { id }: Post) => viewer.get(`/posts/${id}/comments`);
const countSeenBy = async (viewer: Client) => (await seenBy(viewer, post)).commentCount;
const NO_COMMENT = refusal(404, 'COMMENT_NOT_FOUND');

const readComments = (viewer: Client, query: object = {}) =>
  viewer.get(withQuery(`/posts/${post.id}/comments`, query));

const pages = (viewer: Client, query: object = {}) => allPages(viewer, `/posts/${post.id}/comments`, query);

/** Creates `count` comments, alternately by Amara and Jonas; returns them oldest first. */
async function createComments(count: number): Promise<Json[]> {
  const comments: Json[] = [];
  for (let index = 0; index < count; index += 1) {
    comments.push(await aComment(index % 2 === 0 ? amara : jonas, post, `No. ${index}`));
  }
  return comments;
}

describe('POST /posts/{postId}/comments', () => {
  test('everybody who sees the post reads a new comment with its author', async () => {
    const { status, data } = await requestComment(jonas, post, { text: 'Not so.' });
    expect(status).toBe(201);
    expect(data).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      postId: post.id,
      parentCommentId: null,
      author: {
        id: jonas.id,
        username: jonas.username,
        name: 'Jonas',
        profilePhotoUrl: null,
        isAnonymous: false,
      },
      text: 'Not so.',
      assetId: null,
      replyCount: 0,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      isDeleted: false,
    });
    const otherViewers = [aGuest(opine), clientOf(opine.url, 'no.good.token'), await anonymousPerson(opine)];
    for (const viewer of [amara, jonas, ...otherViewers]) {
      expect(await commentsOn(viewer, post)).toEqual([data]);
    }
  });

  test.each(['👍'.repeat(2000), '👩‍👩‍👧 <b>"\\ 100% \' --</b>', 'two\nlines', 'x'])(
    'the service stores the text %j unchanged',
    async (text) => {
      expect((await aComment(jonas, post, text)).text).toBe(text);
      expect((await commentsOn(amara, post))[0]?.text).toBe(text);
    },
  );

  test.each(['half \ud83d', 'No\u0000t', '👍'.repeat(2001)])('the text %j is 422', async (text) => {
    expect(await requestComment(jonas, post, { text })).toMatchObject(invalid('text'));
    expect(await commentsOn(jonas, post)).toEqual([]);
    expect(await countSeenBy(jonas)).toBe(0);
  });

  test('the post and the profile of the author count a comment until its deletion', async () => {
    const [lena, viewer] = [await registeredPerson(opine, 'Lena'), await registeredPerson(opine)];
    await follow(viewer, amara);
    const commentCountOfLena = async () => (await profileSeenBy(viewer, lena)).activity.comments;
    const onCard = async () => (await homePage(viewer)).items.find(({ id }: Json) => id === post.id);
    const comments = [await aComment(lena, post), await aComment(lena, post)];
    expect((await onCard()).commentCount).toBe(2);
    for (const person of [amara, lena, aGuest(opine)]) expect(await countSeenBy(person)).toBe(2);
    expect(await commentCountOfLena()).toBe(2);
    await expectOk(requestCommentDeletion(lena, comments[0]));
    expect([(await onCard()).commentCount, await countSeenBy(amara)]).toEqual([1, 1]);
    expect(await commentCountOfLena()).toBe(1);
  });

  test('a deleted or unknown post has no comments and accepts none', async () => {
    await expectOk(amara.delete(`/posts/${post.id}`));
    for (const id of [post.id, NONEXISTENT.id, ...MALFORMED_IDS]) {
      expect(await listComments(amara, { id })).toMatchObject(NO_POST);
      expect(await requestComment(amara, { id }, { text: 'Anybody?' })).toMatchObject(NO_POST);
    }
  });

  test('the post counts every one of twelve concurrent comments', async () => {
    const writers = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? amara : jonas));
    const comments = await Promise.all(writers.map((writer) => aComment(writer, post)));
    expect(await countSeenBy(jonas)).toBe(12);
    expect(idsOf(await commentsOn(jonas, post)).sort()).toEqual(idsOf(comments).sort());
  });
});

describe('a comment with an Idempotency-Key', () => {
  const send = (text = 'Once.', author: Client = jonas) =>
    author.post(`/posts/${post.id}/comments`, { text }, { headers: { 'idempotency-key': post.id } });

  test('five concurrent requests with one key create one comment', async () => {
    const replies = await Promise.all(Array.from({ length: 5 }, () => send()));
    const [first] = replies;
    expect(replies.map(({ status, data }) => [status, data])).toEqual(Array(5).fill([201, first?.data]));
    const replayed = replies.filter(({ headers }) => headers.get('idempotency-replayed') === 'true');
    expect(replayed).toHaveLength(4);
    expect(await commentsOn(jonas, post)).toEqual([first?.data]);
    expect(await countSeenBy(jonas)).toBe(1);
  });

  test('a replay after the deletion answers 201 and creates no comment', async () => {
    const { data } = await send();
    await expectOk(requestCommentDeletion(jonas, data));
    const again = await send();
    expect([again.status, again.data.id]).toEqual([201, data.id]);
    expect(await commentsOn(jonas, post)).toEqual([]);
  });
});

describe('a thread of comments', () => {
  test('a comment of another post and a reply are no root of a thread', async () => {
    const onOtherPost = await aComment(amara, await aThought(amara));
    const reply = await aReply(amara, post, await aComment(amara, post));
    for (const { id } of [NONEXISTENT, onOtherPost, reply]) {
      expect(await readComments(amara, { parentCommentId: id })).toMatchObject(NO_COMMENT);
    }
    for (const { id } of [NONEXISTENT, onOtherPost]) {
      expect(await requestComment(amara, post, { text: 'Hi.', parentCommentId: id })).toMatchObject(
        NO_COMMENT,
      );
    }
    expect((await seenBy(amara, post)).commentCount).toBe(2);
  });

  test('the root counts every one of ten concurrent replies', async () => {
    const root = await aComment(amara, post);
    const writers = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? amara : jonas));
    await Promise.all(writers.flatMap((writer) => [aReply(writer, post, root), aComment(writer, post)]));
    const [first, ...others] = await commentsOn(amara, post);
    expect(first).toEqual({ ...root, replyCount: 10 });
    expect(others.map(({ replyCount }) => replyCount)).toEqual(Array(10).fill(0));
    expect(await repliesTo(jonas, post, root)).toHaveLength(10);
    expect((await seenBy(amara, post)).commentCount).toBe(21);
  });
});

describe('GET /posts/{postId}/comments', () => {
  test.each([1, 2, 3, 4, 5, 6, 100])('pages of %i list each comment once, oldest first', async (limit) => {
    const comments = await createComments(5);
    const replies: Json[] = [];
    for (const { id } of comments) replies.push(await aReply(jonas, post, comments[1], id));
    for (const [query, items] of [
      [{}, comments],
      [{ parentCommentId: comments[1].id }, replies],
    ] as const) {
      const listed = await pages(jonas, { limit, ...query });
      expect(listed.flatMap(idsOf)).toEqual(idsOf(items));
      expect(listed).toHaveLength(Math.ceil(5 / limit));
    }
  });

  test('pagination neither repeats nor skips comments while others are created and deleted', async () => {
    const [first, second, third, fourth, fifth] = await createComments(5);
    const firstPage = await expectOk(readComments(amara, { limit: 2 }));
    expect(idsOf(firstPage.items)).toEqual(idsOf([first, second]));
    for (const deleted of [second, third]) await expectOk(requestCommentDeletion(amara, deleted));
    const sixth = await aComment(jonas, post);
    const secondPage = await expectOk(readComments(amara, { limit: 2, cursor: firstPage.nextCursor }));
    expect(idsOf(secondPage.items)).toEqual(idsOf([fourth, fifth]));
    const thirdPage = await expectOk(readComments(amara, { limit: 2, cursor: secondPage.nextCursor }));
    expect([idsOf(thirdPage.items), thirdPage.nextCursor]).toEqual([[sixth.id], null]);
  });

  test('a page is the last one if only hidden comments follow', async () => {
    const viewer = await registeredPerson(opine, 'Lena');
    const own = await aComment(viewer, post);
    await Promise.all(Array.from({ length: 60 }, () => aComment(jonas, post)));
    await block(jonas, viewer);
    const { items, nextCursor } = await expectOk(readComments(viewer, { limit: 1 }));
    expect([idsOf(items), nextCursor]).toEqual([[own.id], null]);
  });

  test.each([
    ['limit', ['0', '101', '-1', '1.5', 'ten', '', '99999999999999999999']],
    ['cursor', ['', 'abc', 'null', 'e30', 'W10=', '\u0000', 'x'.repeat(2000)]],
    ['parentCommentId', ['', 'garlic', '1', `${NONEXISTENT.id}0`]],
  ])('a malformed %s is 422', async (field, values) => {
    await createComments(1);
    for (const value of values)
      expect(await readComments(amara, { [field]: value })).toMatchObject(invalid(field));
  });
});

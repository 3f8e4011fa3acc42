import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Client, clientOf, expectOk, idsOf, type Json, refusal, withQuery } from '../support/client.ts';
import { homePage } from '../support/feeds.ts';
import { follow, profileSeenBy } from '../support/graph.ts';
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
  NO_PICTURE,
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

const countSeenBy = async (viewer: Client) => (await seenBy(viewer, post)).commentCount;

const readComments = (viewer: Client, query: object = {}) =>
  viewer.get(withQuery(`/posts/${post.id}/comments`, query));

/** Creates `count` comments, alternately by Amara and Jonas; returns them oldest first. */
async function createComments(count: number): Promise<Json[]> {
  const comments: Json[] = [];
  for (let index = 0; index < count; index += 1) {
    comments.push(await aComment(index % 2 === 0 ? amara : jonas, post, `No. ${index}`));
  }
  return comments;
}

describe('POST /posts/{postId}/comments', () => {
  // docs/product.md C5
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
      ...NO_PICTURE,
      replyCount: 0,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      isDeleted: false,
    });
    const otherViewers = [aGuest(opine), clientOf(opine.url, 'no.good.token'), await anonymousPerson(opine)];
    for (const viewer of [amara, jonas, ...otherViewers]) {
      expect(await commentsOn(viewer, post)).toEqual([data]);
    }
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

  test('a replay after the deletion answers 404 and creates no comment', async () => {
    const { data } = await send();
    await expectOk(requestCommentDeletion(jonas, data));
    expect(await send()).toMatchObject(refusal(404, 'COMMENT_NOT_FOUND'));
    expect(await commentsOn(jonas, post)).toEqual([]);
  });
});

describe('a thread of comments', () => {
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
});

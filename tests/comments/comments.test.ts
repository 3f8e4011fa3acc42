import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Client, clientOf, type Json, refusal } from '../support/client.ts';
import { homePage } from '../support/feeds.ts';
import {
  aComment,
  aRepost,
  commentsOn,
  type Post,
  requestComment,
  requestCommentDeletion,
} from '../support/frames.ts';
import { follow, granted, idsOf, NO_IDS, NOBODY, profileSeenBy } from '../support/graph.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aGuest, anAnonymous, aPersonOf, aRegistered, type Person } from '../support/people.ts';
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

const UNAUTHORIZED = refusal(401, 'UNAUTHORIZED');
const NO_POST = refusal(404, 'POST_NOT_FOUND');

const listComments = (viewer: Client, { id }: Post) => viewer.get(`/posts/${id}/comments`);
const countSeenBy = async (viewer: Client) => (await seenBy(viewer, post)).commentCount;

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
    const otherViewers = [aGuest(opine), clientOf(opine.url, 'no.good.token'), await anAnonymous(opine)];
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

  test.each([
    {},
    { text: null },
    { text: null, assetId: null, parentCommentId: null },
    { parentCommentId: NOBODY.id },
    { text: '' },
    { text: ' \n ' },
    { text: '👍'.repeat(2001) },
    { text: 'No\u0000t' },
    { text: 'half \ud83d' },
    { text: 7 },
    { text: ['Hi.'] },
    { text: 'Hi.', assetId: 'garlic' },
    { text: 'Hi.', assetId: 7 },
    { text: 'Hi.', parentCommentId: 'garlic' },
    { text: 'Hi.', parentCommentId: '' },
    { text: 'Hi.', parentMessageId: null },
    { text: 'Hi.', authorId: NOBODY.id },
  ])('the service rejects the body %j', async (fields) => {
    expect(await requestComment(jonas, post, fields)).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
    expect(await commentsOn(jonas, post)).toEqual([]);
    expect(await countSeenBy(jonas)).toBe(0);
  });

  test('everybody from level 2 comments, the author of the post included', async () => {
    for (const level of [2, 3, 4]) await aComment(await aPersonOf(level, opine), post);
    await aComment(amara, post);
    expect(await commentsOn(jonas, post)).toHaveLength(4);
  });

  test('a guest and an anonymous user cannot comment', async () => {
    for (const guest of [aGuest(opine), clientOf(opine.url, 'no.good.token')]) {
      expect(await requestComment(guest, post, { text: 'Hi.' })).toMatchObject(UNAUTHORIZED);
    }
    expect(await requestComment(await anAnonymous(opine), post, { text: 'Hi.' })).toMatchObject(
      refusal(403, 'FORBIDDEN', { requiredLevel: 2, level: 1, nextStep: 'profile_basics' }),
    );
    expect(await commentsOn(jonas, post)).toEqual([]);
  });

  test('the post and the profile of the author count a comment until its deletion', async () => {
    const [lena, viewer] = [await aRegistered(opine, 'Lena'), await aRegistered(opine)];
    await follow(viewer, amara);
    const commentCountOfLena = async () => (await profileSeenBy(viewer, lena)).activity.comments;
    const onCard = async () => (await homePage(viewer)).items.find(({ id }: Json) => id === post.id);
    const comments = [await aComment(lena, post), await aComment(lena, post)];
    expect((await onCard()).commentCount).toBe(2);
    for (const person of [amara, lena, aGuest(opine)]) expect(await countSeenBy(person)).toBe(2);
    expect(await commentCountOfLena()).toBe(2);
    await granted(requestCommentDeletion(lena, comments[0]));
    expect([(await onCard()).commentCount, await countSeenBy(amara)]).toEqual([1, 1]);
    expect(await commentCountOfLena()).toBe(1);
  });

  test('a comment on a repost does not appear on the original post, and vice versa', async () => {
    const repost = await aRepost(await aConfirmed(opine), post);
    const [onPost, onRepost] = [await aComment(jonas, post), await aComment(jonas, repost)];
    expect(idsOf(await commentsOn(amara, post))).toEqual([onPost.id]);
    expect(idsOf(await commentsOn(amara, repost))).toEqual([onRepost.id]);
  });

  test('a deleted or unknown post has no comments and accepts none', async () => {
    await granted(amara.delete(`/posts/${post.id}`));
    for (const id of [post.id, NOBODY.id, ...NO_IDS]) {
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
    await granted(requestCommentDeletion(jonas, data));
    const again = await send();
    expect([again.status, again.data.id]).toEqual([201, data.id]);
    expect(await commentsOn(jonas, post)).toEqual([]);
  });

  test('the same key with another text is a conflict, and the key of another user is independent', async () => {
    const { data } = await send();
    expect(await send('Twice.')).toMatchObject(refusal(409, 'IDEMPOTENCY_KEY_CONFLICT'));
    const hers = await send('Once.', amara);
    expect([hers.status, hers.data.author.id]).toEqual([201, amara.id]);
    expect(await commentsOn(jonas, post)).toEqual([data, hers.data]);
  });
});

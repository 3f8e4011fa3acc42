import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { countIn, untilGone } from '../support/account-deletions.ts';
import { type Client, type Json, refusal } from '../support/client.ts';
import { aReply, commentCountSeenBy, repliesTo, requestReply } from '../support/comments.ts';
import { aComment, commentsOn, requestComment, requestCommentDeletion } from '../support/frames.ts';
import { block, granted, idsOf, unblock } from '../support/graph.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aGuest, anAnonymous, aRegistered, type Person } from '../support/people.ts';
import { aThought } from '../support/posts.ts';

let opine: Opine;
/** Amara wrote the post; Jonas and Lena comment on it. */
let amara: Person;
let jonas: Person;
let lena: Person;
let post: Json;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  amara = await aConfirmed(opine, 'Amara');
  [jonas, lena] = [await aRegistered(opine, 'Jonas'), await aRegistered(opine, 'Lena')];
  post = await aThought(amara);
});

const NO_POST = refusal(404, 'POST_NOT_FOUND');
const NO_COMMENT = refusal(404, 'COMMENT_NOT_FOUND');

const requestThread = (viewer: Client, { id }: Json) =>
  viewer.get(`/posts/${post.id}/comments?parentCommentId=${id}`);
const commentCountFor = (viewer: Client) => commentCountSeenBy(viewer, post);

describe.each(['blocks', 'is blocked by'])('a viewer who %s another person', (how) => {
  const blockEitherWay = (viewer: Person, other: Person) =>
    how === 'blocks' ? block(viewer, other) : block(other, viewer);
  const unblockEitherWay = (viewer: Person, other: Person) =>
    how === 'blocks' ? unblock(viewer, other) : unblock(other, viewer);

  test('the viewer alone does not see the comments of the other person', async () => {
    const [his, hers] = [await aComment(jonas, post), await aComment(lena, post)];
    const [reply, own] = [await aReply(jonas, post, hers), await aReply(lena, post, hers)];
    await blockEitherWay(lena, jonas);
    const later = await aComment(jonas, post);
    expect(idsOf(await commentsOn(lena, post))).toEqual([hers.id]);
    expect(idsOf(await repliesTo(lena, post, hers))).toEqual([own.id]);
    for (const viewer of [amara, aGuest(opine), await anAnonymous(opine)]) {
      expect(idsOf(await commentsOn(viewer, post))).toEqual(idsOf([his, hers, later]));
      expect(idsOf(await repliesTo(viewer, post, hers))).toEqual(idsOf([reply, own]));
    }
    await unblockEitherWay(lena, jonas);
    expect(idsOf(await commentsOn(lena, post))).toEqual(idsOf([his, hers, later]));
    expect(idsOf(await repliesTo(lena, post, hers))).toEqual(idsOf([reply, own]));
  });

  test('the viewer can neither read nor join the threads of the other person', async () => {
    const his = await aComment(jonas, post);
    const reply = await aReply(amara, post, his);
    await blockEitherWay(lena, jonas);
    expect(await requestThread(lena, his)).toMatchObject(NO_COMMENT);
    for (const hidden of [his, reply])
      expect(await requestReply(lena, post, hidden)).toMatchObject(NO_COMMENT);
    expect(await requestCommentDeletion(lena, his)).toMatchObject(NO_COMMENT);
    expect(idsOf(await repliesTo(amara, post, his))).toEqual([reply.id]);
    await unblockEitherWay(lena, jonas);
    expect((await requestReply(lena, post, his)).status).toBe(201);
  });

  test('the viewer does not see replies by third persons in threads of the other person', async () => {
    const reply = await aReply(amara, post, await aComment(jonas, post));
    expect(await requestCommentDeletion(lena, reply)).toMatchObject(refusal(403, 'FORBIDDEN'));
    await blockEitherWay(lena, jonas);
    expect(await requestCommentDeletion(lena, reply)).toMatchObject(NO_COMMENT);
  });

  test('the viewer can neither read nor write comments on posts of the other person', async () => {
    const old = await aComment(lena, post);
    await blockEitherWay(lena, amara);
    expect(await lena.get(`/posts/${post.id}/comments`)).toMatchObject(NO_POST);
    expect(await requestComment(lena, post, { text: 'Hi.' })).toMatchObject(NO_POST);
    expect(await commentsOn(amara, post)).toEqual([]);
    expect(idsOf(await commentsOn(jonas, post))).toEqual([old.id]);
    expect(await requestCommentDeletion(amara, old)).toMatchObject(NO_COMMENT);
    await unblockEitherWay(lena, amara);
    expect(idsOf(await commentsOn(amara, post))).toEqual([old.id]);
    expect((await requestCommentDeletion(amara, old)).status).toBe(200);
  });

  test('the comment count includes the comments of the blocked pair', async () => {
    for (const author of [jonas, lena, amara]) await aComment(author, post);
    await blockEitherWay(lena, jonas);
    for (const viewer of [lena, jonas, amara, aGuest(opine)]) expect(await commentCountFor(viewer)).toBe(3);
  });
});

describe('the deletion of an account', () => {
  test('the comments of the account disappear at once and leave the count when the worker has run', async () => {
    await aComment(jonas, post);
    const hers = await aComment(lena, post);
    await aReply(jonas, post, hers);
    await granted(jonas.delete('/users/me'));
    for (const viewer of [amara, lena, aGuest(opine)]) {
      expect(idsOf(await commentsOn(viewer, post))).toEqual([hers.id]);
      expect(await repliesTo(viewer, post, hers)).toEqual([]);
    }
    await untilGone(opine, jonas.id);
    expect(await commentsOn(amara, post)).toEqual([hers]);
    expect(await commentCountFor(amara)).toBe(1);
    expect(await countIn(opine, 'app.comments', 'author_id', jonas.id)).toBe(0);
  });

  test('roots without replies disappear, and roots with replies lose text and author', async () => {
    const [alone, root] = [
      await aComment(jonas, post, 'My secret.'),
      await aComment(jonas, post, 'My secret.'),
    ];
    const reply = await aReply(lena, post, root);
    await granted(jonas.delete('/users/me'));
    expect(JSON.stringify(await commentsOn(amara, post))).not.toMatch(/My secret|Jonas/);
    await untilGone(opine, jonas.id);
    const left = await commentsOn(aGuest(opine), post);
    expect(left).toMatchObject([
      { id: root.id, text: null, author: { id: '' }, replyCount: 1, isDeleted: true },
    ]);
    expect(await repliesTo(amara, post, root)).toEqual([reply]);
    expect(await commentCountFor(amara)).toBe(1);
    expect(await requestCommentDeletion(amara, alone)).toMatchObject(NO_COMMENT);
  });

  test('the deletion of the last reply to a tombstone removes the tombstone', async () => {
    const [his, hers] = [await aComment(jonas, post), await aComment(lena, post)];
    const [last] = [await aReply(lena, post, his), await aReply(jonas, post, hers)];
    await granted(requestCommentDeletion(lena, hers));
    await granted(jonas.delete('/users/me'));
    await untilGone(opine, jonas.id);
    expect(idsOf(await commentsOn(amara, post))).toEqual([his.id]);
    await granted(requestCommentDeletion(lena, last));
    expect(await commentsOn(amara, post)).toEqual([]);
    expect(await commentCountFor(amara)).toBe(0);
  });

  test('the posts of the account disappear with the comments of others', async () => {
    const comment = await aComment(jonas, post);
    await granted(amara.delete('/users/me'));
    expect(await jonas.get(`/posts/${post.id}/comments`)).toMatchObject(NO_POST);
    expect(await requestComment(jonas, post, { text: 'Hi.' })).toMatchObject(NO_POST);
    await untilGone(opine, amara.id);
    expect(await countIn(opine, 'app.comments', 'id', comment.id)).toBe(0);
  });
});

test('the deletion of a post deletes its comments', async () => {
  const root = await aComment(jonas, post);
  await aReply(lena, post, root);
  await granted(amara.delete(`/posts/${post.id}`));
  expect(await requestThread(jonas, root)).toMatchObject(NO_POST);
  expect(await countIn(opine, 'app.comments', 'post_id', post.id)).toBe(0);
});

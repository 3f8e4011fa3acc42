import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Client, clientOf, type Json, refusal } from '../support/client.ts';
import { aReply, commentCountSeenBy, remainsOf, repliesTo, requestReply } from '../support/comments.ts';
import { aComment, commentsOn, requestCommentDeletion } from '../support/frames.ts';
import { granted, idsOf, NO_IDS, NOBODY } from '../support/graph.ts';
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
  amara = await aConfirmed(opine, 'Amara');
  [jonas, lena] = [await aRegistered(opine, 'Jonas'), await aRegistered(opine, 'Lena')];
});

afterAll(() => opine.stop());

beforeEach(async () => {
  post = await aThought(amara);
});

const NO_COMMENT = refusal(404, 'COMMENT_NOT_FOUND');
const UNAUTHORIZED = refusal(401, 'UNAUTHORIZED');

const commentCount = () => commentCountSeenBy(aGuest(opine), post);
const deleteComment = (person: Client, comment: Json) => granted(requestCommentDeletion(person, comment));

describe('DELETE /comments/{commentId}', () => {
  test.each(['its author', 'the author of the post'])('%s deletes a comment', async (deleter) => {
    const [deleted, kept] = [await aComment(jonas, post), await aComment(jonas, post)];
    const { status, data } = await requestCommentDeletion(deleter === 'its author' ? jonas : amara, deleted);
    expect([status, data]).toEqual([200, {}]);
    for (const viewer of [amara, jonas, aGuest(opine)]) {
      expect(await commentsOn(viewer, post)).toEqual([kept]);
    }
    expect(await commentCount()).toBe(1);
  });

  test('anybody else who sees a comment cannot delete it', async () => {
    const comment = await aComment(jonas, post);
    const reply = await aReply(lena, post, comment);
    for (const other of [lena, await anAnonymous(opine), await aConfirmed(opine)]) {
      expect(await requestCommentDeletion(other, comment)).toMatchObject(refusal(403, 'FORBIDDEN'));
    }
    // The author of the root has no right to delete replies either.
    expect(await requestCommentDeletion(jonas, reply)).toMatchObject(refusal(403, 'FORBIDDEN'));
    for (const guest of [aGuest(opine), clientOf(opine.url, 'no.good.token')]) {
      expect(await requestCommentDeletion(guest, comment)).toMatchObject(UNAUTHORIZED);
    }
    expect(await commentCount()).toBe(2);
  });

  test('a second deletion of a comment is 404 and changes no count', async () => {
    const comment = await aComment(jonas, post);
    await aComment(jonas, post);
    await deleteComment(jonas, comment);
    for (const person of [jonas, amara, lena]) {
      expect(await requestCommentDeletion(person, comment)).toMatchObject(NO_COMMENT);
    }
    expect(await commentCount()).toBe(1);
  });

  test('the deletion of an unknown comment is 404', async () => {
    for (const id of [NOBODY.id, ...NO_IDS, post.id]) {
      expect(await requestCommentDeletion(amara, { id })).toMatchObject(NO_COMMENT);
    }
  });

  test('the deletion of a comment on a deleted post is 404', async () => {
    const comment = await aComment(jonas, post);
    await granted(amara.delete(`/posts/${post.id}`));
    for (const person of [jonas, amara, lena]) {
      expect(await requestCommentDeletion(person, comment)).toMatchObject(NO_COMMENT);
    }
  });
});

describe('a deleted root', () => {
  test('a root without replies disappears and accepts no reply', async () => {
    const root = await aComment(jonas, post);
    await deleteComment(jonas, root);
    expect(await commentsOn(amara, post)).toEqual([]);
    expect(await requestReply(lena, post, root)).toMatchObject(NO_COMMENT);
    const { status } = await amara.get(`/posts/${post.id}/comments?parentCommentId=${root.id}`);
    expect(status).toBe(404);
  });

  test('a root with replies keeps its position and loses text and author', async () => {
    const [root, next] = [await aComment(jonas, post, 'I take it back.'), await aComment(jonas, post)];
    const replies = [await aReply(lena, post, root), await aReply(jonas, post, root)];
    await deleteComment(amara, root);
    for (const viewer of [amara, jonas, lena, aGuest(opine)]) {
      expect(await commentsOn(viewer, post)).toEqual([remainsOf(root, 2), next]);
      expect(await repliesTo(viewer, post, root)).toEqual(replies);
    }
    expect(await commentCount()).toBe(3);
  });

  test('a tombstone can be neither deleted again nor replied to', async () => {
    const root = await aComment(jonas, post);
    const reply = await aReply(lena, post, root);
    await deleteComment(jonas, root);
    for (const person of [jonas, amara, lena]) {
      expect(await requestCommentDeletion(person, root)).toMatchObject(NO_COMMENT);
    }
    expect(await requestReply(lena, post, root)).toMatchObject(NO_COMMENT);
    expect(await repliesTo(lena, post, root)).toEqual([reply]);
    expect(await commentCount()).toBe(1);
  });

  test('the deletion of the last reply removes the tombstone', async () => {
    for (const deleter of [lena, amara]) {
      const root = await aComment(jonas, post);
      const [one, other] = [await aReply(lena, post, root), await aReply(lena, post, root)];
      await deleteComment(jonas, root);
      await deleteComment(deleter, one);
      expect(await commentsOn(jonas, post)).toEqual([remainsOf(root, 1)]);
      await deleteComment(deleter, other);
      expect(await commentsOn(jonas, post)).toEqual([]);
      expect(await commentCount()).toBe(0);
    }
  });

  test('a reply to a reply joins the thread of the tombstone', async () => {
    const root = await aComment(jonas, post);
    const reply = await aReply(lena, post, root);
    await deleteComment(jonas, root);
    const later = await aReply(amara, post, reply);
    expect(later.parentCommentId).toBe(root.id);
    expect(idsOf(await repliesTo(jonas, post, root))).toEqual(idsOf([reply, later]));
    expect(await commentsOn(jonas, post)).toEqual([remainsOf(root, 2)]);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Client, clientOf, type Json, refusal } from '../support/client.ts';
import { aReply, commentCountSeenBy, remainsOf, repliesTo, requestReply } from '../support/comments.ts';
import { aComment, commentsOn, requestCommentDeletion } from '../support/frames.ts';
import { granted, idsOf, NO_IDS, NOBODY } from '../support/graph.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aGuest, anAnonymous, aRegistered, type Person } from '../support/people.ts';
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
const UNAUTHORIZED = refusal(401, 'UNAUTHORIZED');

const countOf = () => commentCountSeenBy(aGuest(opine), post);
const remove = (person: Client, comment: Json) => granted(requestCommentDeletion(person, comment));

describe('a comment is removed', () => {
  test.each(['its author', 'the author of the post'])('by %s', async (who) => {
    const [gone, stays] = [await aComment(jonas, post), await aComment(jonas, post)];
    const { status, data } = await requestCommentDeletion(who === 'its author' ? jonas : amara, gone);
    expect([status, data]).toEqual([200, {}]);
    for (const viewer of [amara, jonas, aGuest(opine)]) {
      expect(await commentsOn(viewer, post)).toEqual([stays]);
    }
    expect(await countOf()).toBe(1);
  });

  test('by nobody else who sees it', async () => {
    const comment = await aComment(jonas, post);
    const below = await aReply(lena, post, comment);
    for (const other of [lena, await anAnonymous(opine), await aConfirmed(opine)]) {
      expect(await requestCommentDeletion(other, comment)).toMatchObject(refusal(403, 'FORBIDDEN'));
    }
    // Whose thread it is in may not remove a reply either.
    expect(await requestCommentDeletion(jonas, below)).toMatchObject(refusal(403, 'FORBIDDEN'));
    for (const nobody of [aGuest(opine), clientOf(opine.url, 'no.good.token')]) {
      expect(await requestCommentDeletion(nobody, comment)).toMatchObject(UNAUTHORIZED);
    }
    expect(await countOf()).toBe(2);
  });

  test('once', async () => {
    const comment = await aComment(jonas, post);
    await aComment(jonas, post);
    await remove(jonas, comment);
    for (const person of [jonas, amara, lena]) {
      expect(await requestCommentDeletion(person, comment)).toMatchObject(NO_COMMENT);
    }
    expect(await countOf()).toBe(1);
  });

  test('only where there is one', async () => {
    for (const id of [NOBODY.id, ...NO_IDS, post.id]) {
      expect(await requestCommentDeletion(amara, { id })).toMatchObject(NO_COMMENT);
    }
  });

  test('no more once its post is', async () => {
    const comment = await aComment(jonas, post);
    await granted(amara.delete(`/posts/${post.id}`));
    for (const person of [jonas, amara, lena]) {
      expect(await requestCommentDeletion(person, comment)).toMatchObject(NO_COMMENT);
    }
  });
});

describe('a removed root', () => {
  test('without replies is gone, and nobody replies to it', async () => {
    const root = await aComment(jonas, post);
    await remove(jonas, root);
    expect(await commentsOn(amara, post)).toEqual([]);
    expect(await requestReply(lena, post, root)).toMatchObject(NO_COMMENT);
    const { status } = await amara.get(`/posts/${post.id}/comments?parentCommentId=${root.id}`);
    expect(status).toBe(404);
  });

  test('with replies stays where it was, without text and author', async () => {
    const [root, next] = [await aComment(jonas, post, 'I take it back.'), await aComment(jonas, post)];
    const replies = [await aReply(lena, post, root), await aReply(jonas, post, root)];
    await remove(amara, root);
    for (const viewer of [amara, jonas, lena, aGuest(opine)]) {
      expect(await commentsOn(viewer, post)).toEqual([remainsOf(root, 2), next]);
      expect(await repliesTo(viewer, post, root)).toEqual(replies);
    }
    expect(await countOf()).toBe(3);
  });

  test('is not removed again, nor replied to', async () => {
    const root = await aComment(jonas, post);
    const below = await aReply(lena, post, root);
    await remove(jonas, root);
    for (const person of [jonas, amara, lena]) {
      expect(await requestCommentDeletion(person, root)).toMatchObject(NO_COMMENT);
    }
    expect(await requestReply(lena, post, root)).toMatchObject(NO_COMMENT);
    expect(await repliesTo(lena, post, root)).toEqual([below]);
    expect(await countOf()).toBe(1);
  });

  test('goes with its last reply, whoever removes that', async () => {
    for (const remover of [lena, amara]) {
      const root = await aComment(jonas, post);
      const [one, other] = [await aReply(lena, post, root), await aReply(lena, post, root)];
      await remove(jonas, root);
      await remove(remover, one);
      expect(await commentsOn(jonas, post)).toEqual([remainsOf(root, 1)]);
      await remove(remover, other);
      expect(await commentsOn(jonas, post)).toEqual([]);
      expect(await countOf()).toBe(0);
    }
  });

  test('goes on being a thread: a reply to a reply joins it', async () => {
    const root = await aComment(jonas, post);
    const below = await aReply(lena, post, root);
    await remove(jonas, root);
    const later = await aReply(amara, post, below);
    expect(later.parentCommentId).toBe(root.id);
    expect(idsOf(await repliesTo(jonas, post, root))).toEqual(idsOf([below, later]));
    expect(await commentsOn(jonas, post)).toEqual([remainsOf(root, 2)]);
  });
});

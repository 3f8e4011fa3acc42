import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aComment, askToComment, askToUncomment, commentsOn } from './builders/frames.ts';
import { amid, granted, idsOf, NO_IDS, NOBODY } from './builders/graph.ts';
import { ROUNDS } from './builders/hub-races.ts';
import { outcomeOf } from './builders/invitations.ts';
import { aConfirmed, aGuest, anAnonymous, aRegistered, type Person } from './builders/people.ts';
import { aThought, seenBy } from './builders/posts.ts';
import { type Client, clientOf, type Json, type Reply, refusal } from './harness/client.ts';
import { type Opine, startOpine } from './harness/opine.ts';

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
const UNAUTHORIZED = refusal(401, 'UNAUTHORIZED');

const countOf = async () => (await seenBy(aGuest(opine), post)).commentCount;
const remove = (person: Client, comment: Json) => granted(askToUncomment(person, comment));
const reply = (author: Client, { id }: Json, text = 'Quite.'): Promise<Json> =>
  aComment(author, post, text, { parentCommentId: id });
const askToReply = (author: Client, { id }: Json) =>
  askToComment(author, post, { text: 'Late.', parentCommentId: id });
const repliesTo = (viewer: Client, { id }: Json) => commentsOn(viewer, post, { parentCommentId: id });

/** What is left of a root that is removed and has replies. */
const remainsOf = (root: Json, replyCount: number): Json => ({
  ...root,
  author: { id: '', username: '', name: '', profilePhotoUrl: null, isAnonymous: true },
  text: null,
  assetId: null,
  replyCount,
  isDeleted: true,
});

describe('a comment is removed', () => {
  test.each(['its author', 'the author of the post'])('by %s', async (who) => {
    const [gone, stays] = [await aComment(jonas, post), await aComment(jonas, post)];
    const { status, data } = await askToUncomment(who === 'its author' ? jonas : amara, gone);
    expect([status, data]).toEqual([200, {}]);
    for (const viewer of [amara, jonas, aGuest(opine)]) {
      expect(await commentsOn(viewer, post)).toEqual([stays]);
    }
    expect(await countOf()).toBe(1);
  });

  test('by nobody else who sees it', async () => {
    const comment = await aComment(jonas, post);
    const below = await reply(lena, comment);
    for (const other of [lena, await anAnonymous(opine), await aConfirmed(opine)]) {
      expect(await askToUncomment(other, comment)).toMatchObject(refusal(403, 'FORBIDDEN'));
    }
    // Whose thread it is in may not remove a reply either.
    expect(await askToUncomment(jonas, below)).toMatchObject(refusal(403, 'FORBIDDEN'));
    for (const nobody of [aGuest(opine), clientOf(opine.url, 'no.good.token')]) {
      expect(await askToUncomment(nobody, comment)).toMatchObject(UNAUTHORIZED);
    }
    expect(await countOf()).toBe(2);
  });

  test('once', async () => {
    const comment = await aComment(jonas, post);
    await aComment(jonas, post);
    await remove(jonas, comment);
    for (const person of [jonas, amara, lena]) {
      expect(await askToUncomment(person, comment)).toMatchObject(NO_COMMENT);
    }
    expect(await countOf()).toBe(1);
  });

  test('only where there is one', async () => {
    for (const id of [NOBODY.id, ...NO_IDS, post.id]) {
      expect(await askToUncomment(amara, { id })).toMatchObject(NO_COMMENT);
    }
  });

  test('no more once its post is', async () => {
    const comment = await aComment(jonas, post);
    await granted(amara.delete(`/posts/${post.id}`));
    for (const person of [jonas, amara, lena]) {
      expect(await askToUncomment(person, comment)).toMatchObject(NO_COMMENT);
    }
  });
});

describe('a removed root', () => {
  test('without replies is gone, and nobody replies to it', async () => {
    const root = await aComment(jonas, post);
    await remove(jonas, root);
    expect(await commentsOn(amara, post)).toEqual([]);
    expect(await askToReply(lena, root)).toMatchObject(NO_COMMENT);
    const { status } = await amara.get(`/posts/${post.id}/comments?parentCommentId=${root.id}`);
    expect(status).toBe(404);
  });

  test('with replies stays where it was, without text and author', async () => {
    const [root, next] = [await aComment(jonas, post, 'I take it back.'), await aComment(jonas, post)];
    const replies = [await reply(lena, root), await reply(jonas, root)];
    await remove(amara, root);
    for (const viewer of [amara, jonas, lena, aGuest(opine)]) {
      expect(await commentsOn(viewer, post)).toEqual([remainsOf(root, 2), next]);
      expect(await repliesTo(viewer, root)).toEqual(replies);
    }
    expect(await countOf()).toBe(3);
  });

  test('is not removed again, nor replied to', async () => {
    const root = await aComment(jonas, post);
    const below = await reply(lena, root);
    await remove(jonas, root);
    for (const person of [jonas, amara, lena]) {
      expect(await askToUncomment(person, root)).toMatchObject(NO_COMMENT);
    }
    expect(await askToReply(lena, root)).toMatchObject(NO_COMMENT);
    expect(await repliesTo(lena, root)).toEqual([below]);
    expect(await countOf()).toBe(1);
  });

  test('goes with its last reply, whoever removes that', async () => {
    for (const remover of [lena, amara]) {
      const root = await aComment(jonas, post);
      const [one, other] = [await reply(lena, root), await reply(lena, root)];
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
    const below = await reply(lena, root);
    await remove(jonas, root);
    const later = await reply(amara, below);
    expect(later.parentCommentId).toBe(root.id);
    expect(idsOf(await repliesTo(jonas, root))).toEqual(idsOf([below, later]));
    expect(await commentsOn(jonas, post)).toEqual([remainsOf(root, 2)]);
  });
});

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
/** Whose post it is, and two who comment on it. */
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

const askForThread = (viewer: Client, { id }: Json) =>
  viewer.get(`/posts/${post.id}/comments?parentCommentId=${id}`);
const countSeenBy = (viewer: Client) => commentCountSeenBy(viewer, post);

describe.each(['blocks', 'is blocked by'])('who %s another', (how) => {
  const blockEitherWay = (viewer: Person, other: Person) =>
    how === 'blocks' ? block(viewer, other) : block(other, viewer);
  const reconcile = (viewer: Person, other: Person) =>
    how === 'blocks' ? unblock(viewer, other) : unblock(other, viewer);

  test('does not see what the other says below posts of others, and everybody else does', async () => {
    const [his, hers] = [await aComment(jonas, post), await aComment(lena, post)];
    const [below, own] = [await aReply(jonas, post, hers), await aReply(lena, post, hers)];
    await blockEitherWay(lena, jonas);
    const later = await aComment(jonas, post);
    expect(idsOf(await commentsOn(lena, post))).toEqual([hers.id]);
    expect(idsOf(await repliesTo(lena, post, hers))).toEqual([own.id]);
    for (const viewer of [amara, aGuest(opine), await anAnonymous(opine)]) {
      expect(idsOf(await commentsOn(viewer, post))).toEqual(idsOf([his, hers, later]));
      expect(idsOf(await repliesTo(viewer, post, hers))).toEqual(idsOf([below, own]));
    }
    await reconcile(lena, jonas);
    expect(idsOf(await commentsOn(lena, post))).toEqual(idsOf([his, hers, later]));
    expect(idsOf(await repliesTo(lena, post, hers))).toEqual(idsOf([below, own]));
  });

  test('has nothing to do with threads of the other', async () => {
    const his = await aComment(jonas, post);
    const below = await aReply(amara, post, his);
    await blockEitherWay(lena, jonas);
    expect(await askForThread(lena, his)).toMatchObject(NO_COMMENT);
    for (const hidden of [his, below])
      expect(await requestReply(lena, post, hidden)).toMatchObject(NO_COMMENT);
    expect(await requestCommentDeletion(lena, his)).toMatchObject(NO_COMMENT);
    expect(idsOf(await repliesTo(amara, post, his))).toEqual([below.id]);
    await reconcile(lena, jonas);
    expect((await requestReply(lena, post, his)).status).toBe(201);
  });

  test('does not see the replies of others in threads of the other', async () => {
    const below = await aReply(amara, post, await aComment(jonas, post));
    expect(await requestCommentDeletion(lena, below)).toMatchObject(refusal(403, 'FORBIDDEN'));
    await blockEitherWay(lena, jonas);
    expect(await requestCommentDeletion(lena, below)).toMatchObject(NO_COMMENT);
  });

  test('does not come to posts of the other, nor say anything there', async () => {
    const old = await aComment(lena, post);
    await blockEitherWay(lena, amara);
    expect(await lena.get(`/posts/${post.id}/comments`)).toMatchObject(NO_POST);
    expect(await requestComment(lena, post, { text: 'Hi.' })).toMatchObject(NO_POST);
    expect(await commentsOn(amara, post)).toEqual([]);
    expect(idsOf(await commentsOn(jonas, post))).toEqual([old.id]);
    expect(await requestCommentDeletion(amara, old)).toMatchObject(NO_COMMENT);
    await reconcile(lena, amara);
    expect(idsOf(await commentsOn(amara, post))).toEqual([old.id]);
    expect((await requestCommentDeletion(amara, old)).status).toBe(200);
  });

  test('is told how many comments there are, as everybody is', async () => {
    for (const author of [jonas, lena, amara]) await aComment(author, post);
    await blockEitherWay(lena, jonas);
    for (const viewer of [lena, jonas, amara, aGuest(opine)]) expect(await countSeenBy(viewer)).toBe(3);
  });
});

describe('of an ended account', () => {
  test('nobody reads a comment, and when all is done none is counted', async () => {
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
    expect(await countSeenBy(amara)).toBe(1);
    expect(await countIn(opine, 'app.comments', 'author_id', jonas.id)).toBe(0);
  });

  test('a root without replies goes, and one with replies stays without text and author', async () => {
    const [alone, root] = [
      await aComment(jonas, post, 'My secret.'),
      await aComment(jonas, post, 'My secret.'),
    ];
    const below = await aReply(lena, post, root);
    await granted(jonas.delete('/users/me'));
    expect(JSON.stringify(await commentsOn(amara, post))).not.toMatch(/My secret|Jonas/);
    await untilGone(opine, jonas.id);
    const left = await commentsOn(aGuest(opine), post);
    expect(left).toMatchObject([
      { id: root.id, text: null, author: { id: '' }, replyCount: 1, isDeleted: true },
    ]);
    expect(await repliesTo(amara, post, root)).toEqual([below]);
    expect(await countSeenBy(amara)).toBe(1);
    expect(await requestCommentDeletion(amara, alone)).toMatchObject(NO_COMMENT);
  });

  test('a root that stayed goes with its last reply', async () => {
    const [his, hers] = [await aComment(jonas, post), await aComment(lena, post)];
    const [last] = [await aReply(lena, post, his), await aReply(jonas, post, hers)];
    await granted(requestCommentDeletion(lena, hers));
    await granted(jonas.delete('/users/me'));
    await untilGone(opine, jonas.id);
    expect(idsOf(await commentsOn(amara, post))).toEqual([his.id]);
    await granted(requestCommentDeletion(lena, last));
    expect(await commentsOn(amara, post)).toEqual([]);
    expect(await countSeenBy(amara)).toBe(0);
  });

  test('the posts go with what others said below them', async () => {
    const comment = await aComment(jonas, post);
    await granted(amara.delete('/users/me'));
    expect(await jonas.get(`/posts/${post.id}/comments`)).toMatchObject(NO_POST);
    expect(await requestComment(jonas, post, { text: 'Hi.' })).toMatchObject(NO_POST);
    await untilGone(opine, amara.id);
    expect(await countIn(opine, 'app.comments', 'id', comment.id)).toBe(0);
  });
});

test('with a post go its comments', async () => {
  const root = await aComment(jonas, post);
  await aReply(lena, post, root);
  await granted(amara.delete(`/posts/${post.id}`));
  expect(await askForThread(jonas, root)).toMatchObject(NO_POST);
  expect(await countIn(opine, 'app.comments', 'post_id', post.id)).toBe(0);
});

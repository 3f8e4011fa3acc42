import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Client, expectOk, idsOf, type Json, refusal } from '../support/client.ts';
import { block, unblock } from '../support/graph.ts';
import { aHub, aHubPost, aMemberOf, requestLeave } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import {
  aGuest,
  anonymousPerson,
  confirmedPerson,
  hubReadyPerson,
  type Person,
  registeredPerson,
} from '../support/people.ts';
import {
  aComment,
  aReply,
  aThought,
  commentCountSeenBy,
  commentsOn,
  type Post,
  repliesTo,
  requestComment,
  requestCommentDeletion,
  requestReply,
  seenBy,
  shareToHubs,
} from '../support/posts.ts';
import { countRows, waitUntilDeleted } from '../support/worker.ts';

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
  amara = await confirmedPerson(opine, 'Amara');
  [jonas, lena] = [await registeredPerson(opine, 'Jonas'), await registeredPerson(opine, 'Lena')];
  post = await aThought(amara);
});

const NO_POST = refusal(404, 'POST_NOT_FOUND');
const NO_COMMENT = refusal(404, 'COMMENT_NOT_FOUND');

const requestThread = (viewer: Client, { id }: Json) =>
  viewer.get(`/posts/${post.id}/comments?parentCommentId=${id}`);

const commentCountFor = (viewer: Client) => commentCountSeenBy(viewer, post);
const FORBIDDEN = refusal(403, 'FORBIDDEN');
const listComments = (viewer: Client, { id }: Post) => viewer.get(`/posts/${id}/comments`);

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
    for (const viewer of [amara, aGuest(opine), await anonymousPerson(opine)]) {
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
    await expectOk(jonas.delete('/users/me'));
    for (const viewer of [amara, lena, aGuest(opine)]) {
      expect(idsOf(await commentsOn(viewer, post))).toEqual([hers.id]);
      expect(await repliesTo(viewer, post, hers)).toEqual([]);
    }
    await waitUntilDeleted(opine, jonas.id);
    expect(await commentsOn(amara, post)).toEqual([hers]);
    expect(await commentCountFor(amara)).toBe(1);
    expect(await countRows(opine, 'app.comments', 'author_id', jonas.id)).toBe(0);
  });

  test('roots without replies disappear, and roots with replies lose text and author', async () => {
    const [alone, root] = [
      await aComment(jonas, post, 'My secret.'),
      await aComment(jonas, post, 'My secret.'),
    ];
    const reply = await aReply(lena, post, root);
    await expectOk(jonas.delete('/users/me'));
    expect(JSON.stringify(await commentsOn(amara, post))).not.toMatch(/My secret|Jonas/);
    await waitUntilDeleted(opine, jonas.id);
    const left = await commentsOn(aGuest(opine), post);
    expect(left).toMatchObject([
      { id: root.id, text: null, author: { id: '' }, replyCount: 1, isDeleted: true },
    ]);
    expect(await repliesTo(amara, post, root)).toEqual([reply]);
    expect(await commentCountFor(amara)).toBe(1);
    expect(await requestCommentDeletion(amara, alone)).toMatchObject(NO_COMMENT);
  });

  test('the posts of the account disappear with the comments of others', async () => {
    const comment = await aComment(jonas, post);
    await expectOk(amara.delete('/users/me'));
    expect(await jonas.get(`/posts/${post.id}/comments`)).toMatchObject(NO_POST);
    expect(await requestComment(jonas, post, { text: 'Hi.' })).toMatchObject(NO_POST);
    await waitUntilDeleted(opine, amara.id);
    expect(await countRows(opine, 'app.comments', 'id', comment.id)).toBe(0);
  });
});

describe('comments on Hub posts', () => {
  test('comments on a public_hub post are public and show the public profiles of their authors', async () => {
    const admin = await hubReadyPerson(opine, 'Public Name');
    const hub = await aHub(admin);
    await expectOk(admin.patch('/users/me/hub-profile', { displayName: 'Name Among Us' }));
    const post = await aHubPost(admin, [hub], { visibility: 'public_hub' });
    const comments = [await aComment(admin, post), await aComment(jonas, post)];
    for (const viewer of [admin, jonas, aGuest(opine)]) {
      expect(await commentsOn(viewer, post)).toEqual(comments);
    }
    expect(comments[0].author).toMatchObject({ username: admin.username, name: 'Public Name' });
    const response = JSON.stringify(comments);
    for (const secret of ['Name Among Us', admin.phoneNumber]) expect(response).not.toContain(secret);
  });

  test('comments on a private post are 403 for its viewers and 404 for others', async () => {
    const admin = await hubReadyPerson(opine);
    const [one, two, three] = [await aHub(admin), await aHub(admin), await aHub(admin)];
    const member = await aMemberOf(opine, admin, one);
    const [former, sharedTo] = [await aMemberOf(opine, admin, one), await aMemberOf(opine, admin, three)];
    const inOneHub = await aHubPost(member, [one]);
    const inTwoHubs = await aHubPost(admin, [one, two]);
    await shareToHubs(admin, inTwoHubs, three);
    await expectOk(requestLeave(former, one));
    const viewersByPost: [Post, Client[]][] = [
      [inOneHub, [member, admin]],
      [inTwoHubs, [member, admin, sharedTo]],
    ];
    const nonViewers = [former, await hubReadyPerson(opine), jonas];
    for (const [post, viewers] of viewersByPost) {
      for (const viewer of viewers) {
        expect(await listComments(viewer, post)).toMatchObject(FORBIDDEN);
        expect(await requestComment(viewer, post, { text: 'Hi.' })).toMatchObject(FORBIDDEN);
        expect(await seenBy(viewer, post)).toMatchObject({
          commentCount: 0,
          permissions: { canComment: false },
        });
      }
      for (const nonViewer of nonViewers) {
        expect(await listComments(nonViewer, post)).toMatchObject(NO_POST);
        expect(await requestComment(nonViewer, post, { text: 'Hi.' })).toMatchObject(NO_POST);
      }
      expect(await listComments(aGuest(opine), post)).toMatchObject(NO_POST);
    }
    expect(await listComments(sharedTo, inOneHub)).toMatchObject(NO_POST);
  });

  test('an author who left the Hub gets 403 for comments on their private post', async () => {
    const admin = await hubReadyPerson(opine);
    const hub = await aHub(admin);
    const member = await aMemberOf(opine, admin, hub);
    const inOneHub = await aHubPost(member, [hub]);
    await expectOk(requestLeave(member, hub));
    expect(await listComments(member, inOneHub)).toMatchObject(FORBIDDEN);
    expect(await requestComment(member, inOneHub, { text: 'Hi.' })).toMatchObject(FORBIDDEN);
  });
});

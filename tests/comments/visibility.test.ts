import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Client, expectOk, idsOf, type Json, refusal } from '../support/client.ts';
import { aHub, aHubPost } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, confirmedPerson, hubReadyPerson, type Person, registeredPerson } from '../support/people.ts';
import {
  aComment,
  aReply,
  aThought,
  commentCountSeenBy,
  commentsOn,
  repliesTo,
  requestComment,
  requestCommentDeletion,
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

const commentCountFor = (viewer: Client) => commentCountSeenBy(viewer, post);

describe('the deletion of an account', () => {
  // docs/product.md I17
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
  // docs/product.md C5
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
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Client, expectOk, type Json } from '../support/client.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, confirmedPerson, type Person, registeredPerson } from '../support/people.ts';
import {
  aComment,
  aReply,
  aThought,
  commentCountSeenBy,
  commentsOn,
  remainsOf,
  repliesTo,
  requestCommentDeletion,
} from '../support/posts.ts';

let opine: Opine;
/** Amara wrote the post; Jonas and Lena comment on it. */
let amara: Person;
let jonas: Person;
let lena: Person;
let post: Json;

beforeAll(async () => {
  opine = await startOpine();
  amara = await confirmedPerson(opine, 'Amara');
  [jonas, lena] = [await registeredPerson(opine, 'Jonas'), await registeredPerson(opine, 'Lena')];
});

afterAll(() => opine.stop());

beforeEach(async () => {
  post = await aThought(amara);
});

const commentCount = () => commentCountSeenBy(aGuest(opine), post);
const deleteComment = (person: Client, comment: Json) => expectOk(requestCommentDeletion(person, comment));

describe('DELETE /comments/{commentId}', () => {
  // docs/product.md C6
  test.each(['its author', 'the author of the post'])('%s deletes a comment', async (deleter) => {
    const [deleted, kept] = [await aComment(jonas, post), await aComment(jonas, post)];
    const { status, data } = await requestCommentDeletion(deleter === 'its author' ? jonas : amara, deleted);
    expect([status, data]).toEqual([200, {}]);
    for (const viewer of [amara, jonas, aGuest(opine)]) {
      expect(await commentsOn(viewer, post)).toEqual([kept]);
    }
    expect(await commentCount()).toBe(1);
  });
});

describe('a deleted root', () => {
  // docs/product.md C6
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
});

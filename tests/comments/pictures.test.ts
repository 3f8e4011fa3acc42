import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectOk, type Json, NONEXISTENT, refusal } from '../support/client.ts';
import { block, unblock } from '../support/graph.ts';
import {
  aGuest,
  anonymousPerson,
  confirmedPerson,
  type Person,
  registeredPerson,
} from '../support/people.ts';
import { aPdf, aPng, type Bytes } from '../support/pictures.ts';
import { aComment, aThought, commentsOn, requestComment, requestCommentDeletion } from '../support/posts.ts';
import { type OpineWithStorage, startOpineWithStorage } from '../support/storage.ts';
import { anUpload, aPendingUpload, downloadFile, requestDownload, storedKeys } from '../support/uploads.ts';
import { WORKER_TIMEOUT } from '../support/worker.ts';

let opine: OpineWithStorage;
let picture: Bytes;
/** Amara wrote the post; Jonas comments on it with pictures. */
let amara: Person;
let jonas: Person;
let post: Json;

beforeAll(async () => {
  opine = await startOpineWithStorage();
  picture = await aPng();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  [amara, jonas] = [await confirmedPerson(opine, 'Amara'), await registeredPerson(opine, 'Jonas')];
  post = await aThought(amara);
});

const NO_ASSET = refusal(404, 'ASSET_NOT_FOUND');
const UNKNOWN = refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['assetId'] }] });
const uploadImage = (person: Person) => anUpload(person, picture, 'post_image');

/** Creates a comment of `author` with a new picture of theirs. */
async function commentWithPicture(
  author: Person,
  fields: object = {},
): Promise<{ comment: Json; image: Json }> {
  const image = await uploadImage(author);
  const { assetId } = image;
  return { comment: await aComment(author, post, 'Look.', { assetId, ...fields }), image };
}

async function expectShown({ assetId }: Json, ...viewers: Person[]): Promise<void> {
  for (const viewer of viewers) {
    expect((await downloadFile(viewer, { assetId })).bytes).toEqual(picture);
  }
}

async function expectHidden({ assetId }: Json, ...viewers: Person[]): Promise<void> {
  for (const viewer of viewers) {
    expect(await requestDownload(viewer, assetId)).toMatchObject(NO_ASSET);
  }
}

describe('a picture of a comment', () => {
  test('everybody with a session who sees a comment without text downloads its picture', async () => {
    const { assetId } = await uploadImage(jonas);
    const otherViewers = [await anonymousPerson(opine), await registeredPerson(opine)];
    await expectHidden({ assetId }, amara, ...otherViewers);
    const { status, data } = await requestComment(jonas, post, { assetId });
    expect([status, data.text, data.assetId]).toEqual([201, null, assetId]);
    expect(await commentsOn(amara, post)).toEqual([data]);
    await expectShown({ assetId }, amara, jonas, ...otherViewers);
    expect((await aGuest(opine).get(`/uploads/${assetId}/download-url`)).status).toBe(401);
  });

  test('a comment accepts only a completed post_image of its author', async () => {
    const { image: hers } = await commentWithPicture(amara);
    const { uploadId } = await aPendingUpload(jonas, picture, 'post_image');
    const foreign = [
      hers,
      await anUpload(jonas, picture, 'profile_photo'),
      await anUpload(jonas, picture, 'hub_photo'),
      await anUpload(jonas, aPdf(), 'document'),
    ].map(({ assetId }) => assetId);
    for (const assetId of [...foreign, uploadId, NONEXISTENT.id]) {
      expect(await requestComment(jonas, post, { text: 'Look.', assetId })).toMatchObject(UNKNOWN);
    }
    expect(await commentsOn(jonas, post)).toHaveLength(1);
  });

  test.each(['blocks', 'is blocked by'])(
    'a viewer cannot download the picture while its author %s them',
    async (how) => {
      const { image } = await commentWithPicture(jonas);
      const viewer = await registeredPerson(opine);
      const [blocker, blocked] = how === 'blocks' ? [jonas, viewer] : [viewer, jonas];
      await block(blocker, blocked);
      await expectHidden(image, viewer);
      await expectShown(image, jonas, amara);
      await unblock(blocker, blocked);
      await expectShown(image, viewer);
    },
  );

  test('a viewer cannot download the picture while the author of the post blocks them', async () => {
    const { image } = await commentWithPicture(jonas);
    const viewer = await registeredPerson(opine);
    await block(amara, viewer);
    await expectHidden(image, viewer);
    await expectShown(image, jonas, amara);
  });

  test('a viewer cannot download the picture of a reply while the author of the root blocks them', async () => {
    const lena = await registeredPerson(opine, 'Lena');
    const { comment: root } = await commentWithPicture(lena);
    const { image } = await commentWithPicture(jonas, { parentCommentId: root.id });
    const viewer = await registeredPerson(opine);
    await block(lena, viewer);
    await expectHidden(image, viewer);
    await expectShown(image, amara, jonas);
  });
});

describe('the deletion of a picture', () => {
  const isStored = async ({ assetId }: Json) =>
    (await storedKeys(opine.storage)).includes(`media/${assetId}`);

  test.each(['its author', 'the author of the post'])(
    'a comment that %s deletes loses its picture',
    async (deleter) => {
      const { comment, image } = await commentWithPicture(jonas);
      expect(await isStored(image)).toBe(true);
      await expectOk(requestCommentDeletion(deleter === 'its author' ? jonas : amara, comment));
      await expectHidden(image, amara, jonas, await anonymousPerson(opine));
      expect(await requestComment(jonas, post, { assetId: image.assetId })).toMatchObject(UNKNOWN);
      await expect.poll(() => isStored(image), WORKER_TIMEOUT).toBe(false);
    },
  );

  test('the deletion of a post deletes the pictures of all its comments', async () => {
    const { comment: root, image } = await commentWithPicture(jonas);
    const { image: replyImage } = await commentWithPicture(amara, { parentCommentId: root.id });
    await expectOk(amara.delete(`/posts/${post.id}`));
    for (const each of [image, replyImage]) await expectHidden(each, amara, jonas);
    await expect
      .poll(async () => [await isStored(image), await isStored(replyImage)], WORKER_TIMEOUT)
      .toEqual([false, false]);
  });

  test('an account deletion deletes the pictures of its comments', async () => {
    const { image } = await commentWithPicture(jonas);
    await expectOk(jonas.delete('/users/me'));
    await expectHidden(image, amara, await anonymousPerson(opine));
    await expect.poll(() => isStored(image), WORKER_TIMEOUT).toBe(false);
  });
});

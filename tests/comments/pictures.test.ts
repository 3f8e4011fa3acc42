import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectOk, type Json, refusal } from '../support/client.ts';
import {
  aGuest,
  anonymousPerson,
  confirmedPerson,
  type Person,
  registeredPerson,
} from '../support/people.ts';
import { aPng, type Bytes } from '../support/pictures.ts';
import { aComment, aThought, commentsOn, requestComment, requestCommentDeletion } from '../support/posts.ts';
import { type OpineWithStorage, startOpineWithStorage } from '../support/storage.ts';
import { anUpload, downloadFile, requestDownload, storedKeys } from '../support/uploads.ts';
import { expectAfterWorker } from '../support/worker.ts';

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
  // docs/product.md M7, C1
  test('everybody with a session who sees a comment without text downloads its picture', async () => {
    const { assetId } = await uploadImage(jonas);
    const otherViewers = [await anonymousPerson(opine), await registeredPerson(opine)];
    await expectHidden({ assetId }, amara, ...otherViewers);
    const { status, data } = await requestComment(jonas, post, { assetId, altText: 'Garlic in a pan' });
    expect(status).toBe(201);
    expect(data).toMatchObject({
      text: null,
      assetId,
      altText: 'Garlic in a pan',
      width: 48,
      height: 32,
      blurhash: expect.any(String),
    });
    expect(await commentsOn(amara, post)).toEqual([data]);
    await expectShown({ assetId }, amara, jonas, ...otherViewers);
    expect((await aGuest(opine).get(`/uploads/${assetId}/download-url`)).status).toBe(401);
  });
});

// docs/product.md M7
test('an alt text without a picture is a 422', async () => {
  expect(await requestComment(jonas, post, { text: 'Look.', altText: 'Garlic' })).toMatchObject(
    refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['altText'] }] }),
  );
});

// docs/product.md M11
test('a picture is deleted with its comment, with the post of its comment and with the account of its author', async () => {
  const other = await aThought(amara);
  const lena = await registeredPerson(opine, 'Lena');
  const { comment, image } = await commentWithPicture(jonas);
  const { comment: removed, image: removedImage } = await commentWithPicture(jonas);
  const { image: ofLena } = await commentWithPicture(lena);
  post = other;
  const { comment: root, image: rootImage } = await commentWithPicture(jonas);
  const { image: replyImage } = await commentWithPicture(amara, { parentCommentId: root.id });
  const images = [image, removedImage, ofLena, rootImage, replyImage];
  const stored = async () => {
    const keys = await storedKeys(opine.storage);
    return images.map(({ assetId }) => keys.includes(`media/${assetId}`));
  };
  expect(await stored()).toEqual(Array(5).fill(true));
  await expectOk(requestCommentDeletion(jonas, comment));
  await expectOk(requestCommentDeletion(amara, removed));
  await expectOk(amara.delete(`/posts/${other.id}`));
  await expectOk(lena.delete('/users/me'));
  for (const each of images) await expectHidden(each, amara, jonas, await anonymousPerson(opine));
  await expectAfterWorker(opine, stored).toEqual(Array(5).fill(false));
});

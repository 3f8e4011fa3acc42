import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, type Reply, refusal } from '../support/client.ts';
import { homePage } from '../support/feeds.ts';
import { aGuest, confirmedPerson, type Person } from '../support/people.ts';
import { aJpeg, aPdf, aPng, type Bytes } from '../support/pictures.ts';
import { publish, seenBy } from '../support/posts.ts';
import { type OpineWithStorage, startOpineWithStorage } from '../support/storage.ts';
import {
  anUpload,
  aPendingUpload,
  completeUpload,
  downloadFile,
  requestDownload,
  storedKeys,
} from '../support/uploads.ts';
import { expectAfterWorker } from '../support/worker.ts';

const NOT_FOUND = refusal(404, 'ASSET_NOT_FOUND');

let opine: OpineWithStorage;
let amara: Person;
let picture: Bytes;

beforeAll(async () => {
  opine = await startOpineWithStorage();
  amara = await confirmedPerson(opine, 'Amara');
  picture = await aPng({ width: 4, height: 3 });
});

afterAll(() => opine.stop());

const anImage = (person = amara) => anUpload(person, picture, 'post_image');
const publishWith = (...assets: Json[]): Promise<Reply> =>
  publish(amara, { article: { assetIds: assets.map(({ assetId }) => assetId) } });
const unknownAt = (index: number) =>
  refusal(422, 'VALIDATION_FAILED', {
    issues: [{ path: ['article', 'assetIds', index], code: 'unknown_asset' }],
  });
/** Whether storage has the object of an asset, or its thumbnail. */
const isStored = async ({ assetId }: Json) =>
  (await storedKeys(opine.storage)).some((path) => path.startsWith(`media/${assetId}`));

/** Returns the media entry that a card shows for an asset. */
function onCard({ assetId, purpose, contentType, width, height, blurhash, altText = null }: Json): Json {
  return { assetId, purpose, contentType, altText, width, height, blurhash };
}

/** Expects a 404 for the asset at once, and its object to be deleted by the worker. */
async function expectDeleted(asset: Json): Promise<void> {
  expect(await requestDownload(amara, asset.assetId)).toMatchObject(NOT_FOUND);
  await expectAfterWorker(opine, () => isStored(asset)).toBe(false);
}

const deletePost = ({ id }: Json): Promise<Reply> => amara.delete(`/posts/${id}`);

/** Waits until the worker has deleted an image that was released last, so that earlier deletions have run. */
async function waitForWorker(): Promise<void> {
  const image = await anImage();
  const { data: post } = await publishWith(image);
  await deletePost(post);
  await expectDeleted(image);
}

describe('media of an article', () => {
  // docs/product.md M7
  test('cards show the media in the given order, with alt texts, beside the other fields', async () => {
    const image = await anImage();
    const document = await anUpload(amara, aPdf(), 'document', { fileName: 'minutes.pdf' });
    const photo = await anUpload(amara, await aJpeg({ width: 10, height: 20 }), 'post_image');
    const fields = { url: 'https://news.example/garlic', title: 'On garlic', text: 'Fry it.' };
    const { status, data } = await publish(amara, {
      article: {
        ...fields,
        media: [
          { assetId: photo.assetId, altText: ' Garlic in a pan ' },
          { assetId: document.assetId },
          { assetId: image.assetId, altText: '' },
        ],
      },
      sliderText: 'Does garlic go in first?',
    });
    expect(status).toBe(201);
    expect(data.article).toEqual({
      id: expect.any(String),
      ...fields,
      media: [onCard({ ...photo, altText: 'Garlic in a pan' }), onCard(document), onCard(image)],
    });
    expect(data.article.media[0]).toMatchObject({ width: 10, height: 20, contentType: 'image/jpeg' });
    expect(data.article.media[1]).toMatchObject({ width: null, height: null, blurhash: null });
    for (const viewer of [amara, aGuest(opine), await confirmedPerson(opine)]) {
      expect((await seenBy(viewer, data)).article).toEqual(data.article);
    }
    const { items } = await homePage(amara);
    expect(items.find(({ id }: Json) => id === data.id).article).toEqual(data.article);
  });
});

// docs/product.md M7, M8
describe('a refused article', () => {
  test.each([
    [
      'media beside assetIds',
      (id: string) => ({ assetIds: [id], media: [{ assetId: id }] }),
      ['article', 'media'],
    ],
    [
      'the same asset twice',
      (id: string) => ({ media: [{ assetId: id }, { assetId: id }] }),
      ['article', 'media'],
    ],
    ['an alt text alone', () => ({ media: [{ altText: 'Garlic' }] }), ['article', 'media', 0, 'assetId']],
    [
      'an alt text of 501 characters',
      (id: string) => ({ media: [{ assetId: id, altText: 'ä'.repeat(501) }] }),
      ['article', 'media', 0, 'altText'],
    ],
    ['eleven media', (id: string) => ({ media: Array(11).fill({ assetId: id }) }), ['article', 'media']],
  ])('%s is a 422 that names the field', async (_, article, path) => {
    const { assetId } = await anImage();
    const reply = await publish(amara, { article: article(assetId) });
    expect(reply.status).toBe(422);
    expect(reply.error.details.issues[0].path).toEqual(path);
  });
});

describe('media of a deleted post', () => {
  // docs/product.md M11
  test('the media are deleted and can be neither attached nor completed again', async () => {
    const sent = await aPendingUpload(amara, picture, 'post_image');
    const fields = { purpose: 'post_image' };
    const { data: image } = await completeUpload(amara, sent, picture, fields);
    const document = await anUpload(amara, aPdf(), 'document');
    const { data: post } = await publishWith(image, document);
    expect((await amara.delete(`/posts/${post.id}`)).status).toBe(200);
    await expectDeleted(image);
    await expectDeleted(document);
    expect(await publishWith(image)).toMatchObject(unknownAt(0));
    expect(await completeUpload(amara, sent, picture, fields)).toMatchObject(
      refusal(409, 'UPLOAD_CONFLICT', { reason: 'unknown' }),
    );
  });

  // docs/product.md M11
  test('media of two posts stay until both posts are deleted', async () => {
    const [shared, alone] = [await anImage(), await anImage()];
    const { data: one } = await publishWith(shared, alone);
    const { data: other } = await publishWith(shared);
    await amara.delete(`/posts/${one.id}`);
    await expectDeleted(alone);
    expect((await downloadFile(amara, shared)).bytes).toEqual(picture);
    expect((await seenBy(amara, other)).article.media).toEqual([onCard(shared)]);
    await amara.delete(`/posts/${other.id}`);
    await expectDeleted(shared);
  });

  test('a concurrent publication keeps the media or is refused as unknown_asset', async () => {
    const races = Array.from({ length: 8 }, async () => {
      const image = await anImage();
      const { data: one } = await publishWith(image);
      const [deletion, other] = await Promise.all([deletePost(one), publishWith(image)]);
      return { image, deletion, other };
    });
    const raced = await Promise.all(races);
    await waitForWorker();
    for (const { image, deletion, other } of raced) {
      expect(deletion.status).toBe(200);
      if (other.status === 201) expect((await downloadFile(amara, image)).bytes).toEqual(picture);
      else {
        expect(other).toMatchObject(unknownAt(0));
        await expectDeleted(image);
      }
    }
  });

  test('concurrent deletions of both posts with an image delete the image', async () => {
    const races = Array.from({ length: 8 }, async () => {
      const image = await anImage();
      const posts = [(await publishWith(image)).data, (await publishWith(image)).data];
      const deletions = await Promise.all(posts.map(deletePost));
      expect(deletions.map(({ status }) => status)).toEqual([200, 200]);
      return image;
    });
    for (const image of await Promise.all(races)) await expectDeleted(image);
  });

  test('concurrent publications and deletions do not deadlock for any order of the assets', async () => {
    const races = Array.from({ length: 8 }, async () => {
      const [one, two, three] = [await anImage(), await anImage(), await anImage()];
      const { data: post } = await publishWith(one, two, three);
      const { data: other } = await publishWith(three, one, two);
      return Promise.all([
        deletePost(post),
        publishWith(three, two, one),
        deletePost(other),
        publishWith(two, three, one),
        publishWith(one, two, three),
      ]);
    });
    for (const replies of await Promise.all(races)) {
      const [first, , second] = replies;
      expect([first?.status, second?.status]).toEqual([200, 200]);
      for (const { status } of replies) expect([200, 201, 422]).toContain(status);
    }
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TIMEOUT } from '../support/account-deletions.ts';
import { type Json, refusal } from '../support/client.ts';
import { homePage } from '../support/feeds.ts';
import { aConfirmed, aGuest, type Person } from '../support/people.ts';
import { aJpeg, aPdf, aPng, type Bytes } from '../support/pictures.ts';
import { publish, seenBy } from '../support/posts.ts';
import type { Reply } from '../support/reply.ts';
import { type StoringOpine, startStoringOpine } from '../support/storage.ts';
import { anUpload, aSent, complete, downloaded, everythingIn, requestDownload } from '../support/uploads.ts';

const NOWHERE = '01990000-0000-7000-8000-000000000009';
const NOT_FOUND = refusal(404, 'ASSET_NOT_FOUND');

let opine: StoringOpine;
let amara: Person;
let picture: Bytes;

beforeAll(async () => {
  opine = await startStoringOpine();
  amara = await aConfirmed(opine, 'Amara');
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
const lies = async ({ assetId }: Json) => (await everythingIn(opine.storage)).includes(`media/${assetId}`);

/** What a card says of an asset. */
function onCard({ assetId, purpose, contentType, width, height, blurhash }: Json): Json {
  return { assetId, purpose, contentType, width, height, blurhash };
}

/** The media object goes within seconds; the asset has gone already. */
async function expectGone(asset: Json): Promise<void> {
  expect(await requestDownload(amara, asset.assetId)).toMatchObject(NOT_FOUND);
  await expect.poll(() => lies(asset), TIMEOUT).toBe(false);
}

describe('an article', () => {
  test('shows its media in the order it was given', async () => {
    const image = await anImage();
    const document = await anUpload(amara, aPdf(), 'document', { fileName: 'minutes.pdf' });
    const photo = await anUpload(amara, await aJpeg({ width: 10, height: 20 }), 'post_image');
    const assets = [photo, document, image];
    const { status, data } = await publishWith(...assets);
    expect(status).toBe(201);
    expect(data.article).toEqual({
      id: expect.any(String),
      url: null,
      title: null,
      text: null,
      media: assets.map(onCard),
    });
    expect(data.article.media[0]).toMatchObject({ width: 10, height: 20, contentType: 'image/jpeg' });
    expect(data.article.media[1]).toMatchObject({ width: null, height: null, blurhash: null });
    for (const viewer of [amara, aGuest(opine), await aConfirmed(opine)]) {
      expect((await seenBy(viewer, data)).article).toEqual(data.article);
    }
    const { items } = await homePage(amara);
    expect(items.find(({ id }: Json) => id === data.id).article).toEqual(data.article);
  });

  test('has media beside all else', async () => {
    const image = await anImage();
    const article = { url: 'https://news.example/garlic', title: 'On garlic', text: 'Fry it.' };
    const fields = {
      article: { ...article, assetIds: [image.assetId] },
      sliderText: 'Does garlic go in first?',
    };
    const { data } = await publish(amara, fields);
    expect(data.article).toMatchObject({ ...article, media: [onCard(image)] });
  });

  test('has none where none is named', async () => {
    const { status, data } = await publish(amara, { article: { title: 'On garlic', assetIds: [] } });
    expect([status, data.article.media]).toEqual([201, []]);
  });

  test('has up to ten', async () => {
    const assets = await Promise.all(Array.from({ length: 10 }, () => anImage()));
    expect((await publishWith(...assets)).data.article.media).toEqual(assets.map(onCard));
    expect(await publishWith(...assets, await anImage())).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
  });
});

describe('no post is published', () => {
  test('with nothing but no media', async () => {
    expect(await publishWith()).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
  });

  test('with one asset twice, in whatever letters', async () => {
    const { assetId } = await anImage();
    for (const again of [assetId, assetId.toUpperCase()]) {
      expect(await publishWith({ assetId }, { assetId: again })).toMatchObject(
        refusal(422, 'VALIDATION_FAILED'),
      );
    }
  });

  test.each(['garlic', '', 7, null])('with %j for an asset', async (assetId) => {
    expect(await publishWith({ assetId })).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
  });

  test('with an asset that nobody has', async () => {
    const image = await anImage();
    expect(await publishWith(image, { assetId: NOWHERE })).toMatchObject(unknownAt(1));
  });

  test("with somebody else's, also one that is published", async () => {
    const jonas = await aConfirmed(opine, 'Jonas');
    const [kept, shown] = [await anImage(jonas), await anImage(jonas)];
    await publish(jonas, { article: { assetIds: [shown.assetId] } });
    expect(await publishWith(kept)).toMatchObject(unknownAt(0));
    expect(await publishWith(await anImage(), shown)).toMatchObject(unknownAt(1));
  });

  test.each(['profile_photo', 'hub_photo'] as const)('with a %s', async (purpose) => {
    expect(await publishWith(await anUpload(amara, picture, purpose))).toMatchObject(unknownAt(0));
  });

  test('with an upload that is not completed', async () => {
    const { uploadId } = await aSent(amara, picture, 'post_image');
    expect(await publishWith({ assetId: uploadId })).toMatchObject(unknownAt(0));
  });
});

describe('media that hang on a deleted post', () => {
  test('are gone, and can be neither used nor completed again', async () => {
    const sent = await aSent(amara, picture, 'post_image');
    const fields = { purpose: 'post_image' };
    const { data: image } = await complete(amara, sent, picture, fields);
    const document = await anUpload(amara, aPdf(), 'document');
    const { data: post } = await publishWith(image, document);
    expect((await amara.delete(`/posts/${post.id}`)).status).toBe(200);
    await expectGone(image);
    await expectGone(document);
    expect(await publishWith(image)).toMatchObject(unknownAt(0));
    expect(await complete(amara, sent, picture, fields)).toMatchObject(
      refusal(409, 'UPLOAD_CONFLICT', { reason: 'unknown' }),
    );
  });

  test('stay where another post has them', async () => {
    const [shared, alone] = [await anImage(), await anImage()];
    const { data: one } = await publishWith(shared, alone);
    const { data: other } = await publishWith(shared);
    await amara.delete(`/posts/${one.id}`);
    await expectGone(alone);
    expect((await downloaded(amara, shared)).bytes).toEqual(picture);
    expect((await seenBy(amara, other)).article.media).toEqual([onCard(shared)]);
    await amara.delete(`/posts/${other.id}`);
    await expectGone(shared);
  });

  test('stay where somebody else tries to delete the post', async () => {
    const image = await anImage();
    const { data: post } = await publishWith(image);
    expect((await (await aConfirmed(opine)).delete(`/posts/${post.id}`)).status).toBe(403);
    expect((await downloaded(amara, image)).bytes).toEqual(picture);
  });
});

import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer } from '../../src/server.ts';
import { images } from '../images/decoding.ts';
import { type Client, clientOf, expectOk, type Json, refusal } from '../support/client.ts';
import { advanceTime, currentTime, testEnvironment } from '../support/opine.ts';
import { aGuest, anonymousPerson, confirmedPerson, type Person } from '../support/people.ts';
import { aPdf, aPng, type Bytes } from '../support/pictures.ts';
import { aComment, publish } from '../support/posts.ts';
import { type OpineWithStorage, startOpineWithStorage } from '../support/storage.ts';
import {
  anUpload,
  aPendingUpload,
  aPresignedUpload,
  downloadFile,
  fetchFile,
  type Purpose,
  putFile,
  requestDownload,
} from '../support/uploads.ts';

const NOT_FOUND = refusal(404, 'ASSET_NOT_FOUND');
const FIVE_MINUTES = 5 * 60 * 1000;

let opine: OpineWithStorage;
let amara: Person;
let picture: Bytes;

beforeAll(async () => {
  opine = await startOpineWithStorage();
  amara = await confirmedPerson(opine, 'Amara');
  picture = await aPng();
});

afterAll(() => opine.stop());

const canGet = async (person: Client, asset: Json) => {
  const reply = await requestDownload(person, asset.assetId);
  if (reply.status === 200) return (await fetchFile(reply.data.url)).status === 200;
  expect(reply).toMatchObject(NOT_FOUND);
  return false;
};
const tokenOf = (url: string) => new URL(url).searchParams.get('token') ?? '';

/** Publishes a public post of `author` with those assets. */
const aPostWith = (author: Person, ...assets: Json[]): Promise<Json> =>
  expectOk(publish(author, { article: { assetIds: assets.map(({ assetId }) => assetId) } }));

// docs/product.md M3, M9
describe('the download URL of an owner', () => {
  test.each<[Purpose, string]>([
    ['profile_photo', 'photos'],
    ['hub_photo', 'photos'],
    ['post_image', 'media'],
    ['document', 'media'],
  ])('the URL of a %s reads bucket %s for five minutes', async (purpose, bucket) => {
    const file = purpose === 'document' ? await aPdf() : picture;
    const asset = await anUpload(amara, file, purpose);
    const before = await currentTime(opine);
    const { status, data } = await requestDownload(amara, asset.assetId);
    const after = await currentTime(opine);
    expect(status).toBe(200);
    expect(data).toEqual({ url: expect.any(String), expiresAt: expect.stringMatching(/^\d{4}-.*Z$/) });
    const { origin, pathname, searchParams } = new URL(data.url);
    expect(origin).toBe(opine.storage.environment.SUPABASE_URL);
    expect(pathname).toBe(`/storage/v1/object/sign/${bucket}/${asset.assetId}`);
    expect([...searchParams.keys()]).toEqual(['token']);
    const start = Date.parse(data.expiresAt) - FIVE_MINUTES;
    expect(start).toBeGreaterThan(before.getTime() - 1000);
    expect(start).toBeLessThan(after.getTime() + 1000);
    expect(decodeJwt(tokenOf(data.url)).exp).toBe(Math.floor(Date.parse(data.expiresAt) / 1000));
    expect(await fetchFile(data.url)).toMatchObject({ status: 200, bytes: file });
  });
});

describe('the file name of a download', () => {
  test.each(['minutes.pdf', 'Übersicht "2" & mehr?.pdf', '../../etc/passwd', 'a;b=c\\d.pdf', '会議 50%.pdf'])(
    'a document is saved under the name of its upload: %s',
    async (fileName) => {
      const file = await aPdf();
      const asset = await anUpload(amara, file, 'document', { fileName });
      const { url } = (await requestDownload(amara, asset.assetId)).data;
      expect(new URL(url).searchParams.get('download')).toBe(fileName);
      const { status, headers, bytes } = await fetchFile(url);
      expect({ status, bytes }).toEqual({ status: 200, bytes: file });
      const disposition = headers.get('content-disposition') ?? '';
      expect(disposition).toMatch(/^attachment/);
      const [, encoded] = /filename\*=UTF-8''(\S+)$/.exec(disposition) ?? [];
      expect(decodeURIComponent(encoded ?? '')).toBe(fileName);
    },
  );

  test('an image is shown inline without a file name', async () => {
    const asset = await anUpload(amara, picture, 'post_image', { fileName: 'garlic.png' });
    const { url } = (await requestDownload(amara, asset.assetId)).data;
    expect(new URL(url).searchParams.has('download')).toBe(false);
    expect((await fetchFile(url)).headers.get('content-disposition')).toBeNull();
  });
});

describe('media of a post', () => {
  // docs/product.md M9
  test('every viewer of the post can download its media', async () => {
    const image = await anUpload(amara, picture, 'post_image');
    const document = await anUpload(amara, await aPdf(), 'document');
    await aPostWith(amara, image, document);
    for (const viewer of [amara, await anonymousPerson(opine), await confirmedPerson(opine)]) {
      expect([await canGet(viewer, image), await canGet(viewer, document)]).toEqual([true, true]);
    }
  });

  test('nobody can download the media of a deleted account', async () => {
    const author = await confirmedPerson(opine);
    const image = await anUpload(author, picture, 'post_image');
    await aPostWith(author, image);
    await author.delete('/users/me');
    expect(await canGet(amara, image)).toBe(false);
  });
});

test('every viewer of a profile can download its photo until it is removed', async () => {
  const person = await confirmedPerson(opine);
  const photo = await anUpload(person, picture);
  await expectOk(person.patch('/users/me/profile', { profileAssetId: photo.assetId }));
  const viewer = await anonymousPerson(opine);
  expect(await canGet(viewer, photo)).toBe(true);
  await person.patch('/users/me/profile', { profileAssetId: null });
  expect([await canGet(viewer, photo), await canGet(person, photo)]).toEqual([false, false]);
});

describe('a refused download', () => {
  // docs/product.md M3, M10
  test('only photos are readable by their public URL', async () => {
    const [image, photo] = [await anUpload(amara, picture, 'post_image'), await anUpload(amara, picture)];
    const { uploadId } = await aPendingUpload(amara, picture);
    const open = async (path: string) =>
      (await fetchFile(`${opine.storage.environment.SUPABASE_URL}/storage/v1/object/public/${path}`)).status;
    expect(await open(`media/${image.assetId}`)).toBe(400);
    expect(await open(`uploads/${uploadId}`)).toBe(400);
    expect(await open(`photos/${photo.assetId}`)).toBe(200);
  });
});

describe('the URLs of many files', () => {
  const urlsOf = async (client: Client, assets: Json[], variant?: string): Promise<Json[]> => {
    const assetIds = assets.map(({ assetId }) => assetId);
    const { items } = await expectOk(
      client.post('/uploads/download-urls', { assetIds, ...(variant && { variant }) }),
    );
    return items;
  };
  const idsOf = (items: Json[]) => items.map(({ assetId }) => assetId);

  // docs/product.md M13
  test('a guest gets the files of public posts and of their comments, in the order of the request', async () => {
    const [image, hidden, ofComment] = [
      await anUpload(amara, picture, 'post_image'),
      await anUpload(amara, picture, 'post_image'),
      await anUpload(amara, picture, 'post_image'),
    ];
    const document = await anUpload(amara, await aPdf(), 'document', { fileName: 'minutes.pdf' });
    const post = await aPostWith(amara, image, document);
    await aComment(amara, post, 'Look.', { assetId: ofComment.assetId });
    const asked = [ofComment, hidden, document, image];
    const items = await urlsOf(aGuest(opine), asked);
    expect(idsOf(items)).toEqual(idsOf([ofComment, document, image]));
    expect(idsOf(await urlsOf(amara, asked))).toEqual(idsOf(asked));
    const [first, second] = await Promise.all(items.map(({ url }) => fetchFile(url)));
    expect(first).toMatchObject({ status: 200, bytes: picture });
    expect(second?.headers.get('content-disposition')).toMatch(/^attachment/);
  });

  // docs/product.md M12, M13
  test('a thumbnail is a WebP of at most 640 pixels a side, and a document has none', async () => {
    const large = await anUpload(amara, await aPng({ width: 1000, height: 500 }), 'post_image');
    const document = await anUpload(amara, await aPdf(), 'document');
    const photo = await anUpload(amara, picture);
    const items = await urlsOf(amara, [large, document, photo], 'thumbnail');
    expect(idsOf(items)).toEqual(idsOf([large, photo]));
    const [thumbnail] = await Promise.all(items.map(({ url }) => fetchFile(url)));
    expect(thumbnail?.headers.get('content-type')).toBe('image/webp');
    expect(await images.prepare(thumbnail?.bytes ?? new Uint8Array(), 'image/webp')).toMatchObject({
      width: 640,
      height: 320,
    });
  });

  // docs/product.md M13
  test('a URL is the same for everybody and in every process until the next quarter of an hour, and lives until the one after', async () => {
    const image = await anUpload(amara, picture, 'post_image');
    await aPostWith(amara, image);
    const other = await startServer({ ...testEnvironment(opine.database), ...opine.storage.environment });
    try {
      const [one] = await urlsOf(amara, [image]);
      const [two] = await urlsOf(clientOf(other.url), [image]);
      expect(two).toEqual(one);
      const lifetime = Date.parse(one?.expiresAt) - (await currentTime(opine)).getTime();
      expect(lifetime).toBeGreaterThan(15 * 60_000 - 5_000);
      expect(lifetime).toBeLessThanOrEqual(30 * 60_000);
      expect(Date.parse(one?.expiresAt) % (15 * 60_000)).toBe(0);
      await advanceTime(opine, '15 minutes');
      const [later] = await urlsOf(amara, [image]);
      await advanceTime(opine, '-15 minutes');
      expect(later?.url).not.toBe(one?.url);
      expect(Date.parse(later?.expiresAt) - Date.parse(one?.expiresAt)).toBe(15 * 60_000);
    } finally {
      await other.stop();
    }
  });

  // docs/product.md M13
  test.each([
    ['no ids', []],
    ['51 ids', Array.from({ length: 51 }, () => crypto.randomUUID())],
    ['an id twice', Array(2).fill('01900000-0000-7000-8000-0000000000e1')],
    ['no UUID', ['garlic']],
  ])('%s are a 422', async (_, assetIds) => {
    expect(await amara.post('/uploads/download-urls', { assetIds })).toMatchObject(
      refusal(422, 'VALIDATION_FAILED'),
    );
  });
});

describe('the token of a download URL', () => {
  test('the token reads its own object only and writes nothing', async () => {
    const [one, two] = [
      await anUpload(amara, picture, 'post_image'),
      await anUpload(amara, picture, 'post_image'),
    ];
    const { url } = (await requestDownload(amara, one.assetId)).data;
    for (const elsewhere of [
      url.replace(one.assetId, two.assetId),
      url.replace('/sign/media/', '/sign/photos/'),
      url.replace('/sign/media/', '/sign/uploads/'),
      url.replace(one.assetId, `${one.assetId}/..%2f${two.assetId}`),
      url.replace(/token=.*/, `token=${amara.session.accessToken}`),
      url.replace(/token=.*/, `token=${tokenOf((await aPresignedUpload(amara, picture)).uploadUrl)}`),
    ]) {
      expect((await fetchFile(elsewhere)).status).toBe(400);
    }
    const presigned = await aPresignedUpload(amara, picture);
    const uploadUrl = url.replace('/sign/media/', '/upload/sign/media/');
    expect((await putFile({ ...presigned, uploadUrl }, await aPdf())).status).toBe(400);
    expect((await downloadFile(amara, one)).bytes).toEqual(picture);
  });

  test('the token is no bearer of the API', async () => {
    const { assetId } = await anUpload(amara, picture, 'post_image');
    const thief = clientOf(opine.url, tokenOf((await requestDownload(amara, assetId)).data.url));
    expect(await thief.get('/users/me/onboarding/status')).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  });

  test('an expired token reads nothing', async () => {
    const { assetId } = await anUpload(amara, picture, 'post_image');
    await advanceTime(opine, '-6 minutes');
    try {
      const { url } = (await requestDownload(amara, assetId)).data;
      expect((await fetchFile(url)).status).toBe(400);
    } finally {
      await advanceTime(opine, '6 minutes');
    }
  });
});

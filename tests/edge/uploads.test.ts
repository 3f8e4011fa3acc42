import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  buildFunctions,
  DENO_PACKAGES,
  type EdgeFunction,
  startEdgeFunction,
} from '../../scripts/local/edge-function.ts';
import { type Client, clientOf, refusal } from '../support/client.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { testEnvironment } from '../support/opine.ts';
import { ALL_METADATA, aJpeg, aPdf, aPng, aWebp, type Bytes, bytes, tracesIn } from '../support/pictures.ts';
import { type FlakyStorage, startFlakyStorage } from '../support/storage.ts';
import {
  anUpload,
  aPendingUpload,
  aPresignedUpload,
  checksumOf,
  completeUpload,
  downloadFile,
  fetchFile,
  photoUrlOf,
  putFile,
} from '../support/uploads.ts';

describe.each(DENO_PACKAGES)('the API function on npm package %s', (deno) => {
  let storage: FlakyStorage;
  let database: TestDatabase;
  let edge: EdgeFunction;
  let maya: Client;

  beforeAll(async () => {
    await buildFunctions();
    storage = await startFlakyStorage();
    database = await createTestDatabase();
    edge = await startEdgeFunction({ ...testEnvironment(database), ...storage.environment }, { deno });
    const deviceId = 'an install that uploads at the edge';
    const { data } = await clientOf(edge.url).post('/auth/anonymous/session', { deviceId });
    maya = clientOf(edge.url, data.accessToken);
    const basics = { fullName: 'Maya Edge', username: 'maya_edge', termsAccepted: true };
    await maya.put('/users/me/onboarding/profile-basics', basics);
  });

  afterAll(async () => {
    await edge?.stop();
    await database?.drop();
    await storage?.remove();
  });

  const conflict = (reason: string) => refusal(409, 'UPLOAD_CONFLICT', { reason });

  describe('uploads', () => {
    test.each<[string, () => Promise<Bytes>, () => Promise<Bytes>]>([
      ['JPEG', () => aJpeg(), () => aJpeg({ ...ALL_METADATA, orientation: 6 })],
      ['PNG', () => aPng(), () => aPng({ ...ALL_METADATA, orientation: 6 })],
      ['WebP', () => aWebp(), () => aWebp({ ...ALL_METADATA, orientation: 6 })],
    ])('a %s is uploaded, stripped of metadata and downloaded', async (_, silent, talkative) => {
      const file = await silent();
      const asset = await anUpload(maya, file, 'post_image');
      expect(asset).toMatchObject({
        checksum: checksumOf(file),
        width: 48,
        height: 32,
        blurhash: expect.any(String),
      });
      expect((await downloadFile(maya, asset)).bytes).toEqual(file);

      const stripped = await anUpload(maya, await talkative(), 'post_image');
      expect(stripped).toMatchObject({ width: 32, height: 48, blurhash: expect.any(String) });
      expect(tracesIn((await downloadFile(maya, stripped)).bytes)).toEqual([]);
    });

    test.each<[string, (file: Bytes) => Bytes]>([
      ['lacks pixels', (file) => file.slice(0, -200)],
      [
        'has a stray marker',
        (file) => bytes(file.subarray(0, -300), Uint8Array.of(0xff, 0xd0), file.subarray(-300)),
      ],
      [
        'has a head and random bytes',
        (file) => bytes(file.subarray(0, 3), crypto.getRandomValues(new Uint8Array(999))),
      ],
    ])('a JPEG that %s is refused', async (_, broken) => {
      const file = broken(await aJpeg({ width: 200, height: 150 }));
      expect(
        await completeUpload(maya, await aPendingUpload(maya, file, 'post_image'), file, {
          purpose: 'post_image',
        }),
      ).toMatchObject(
        refusal(409, 'UPLOAD_CONFLICT', { reason: 'content_mismatch', cause: 'not_decodable' }),
      );
    });

    test('a JPEG that lacks its end alone is stored with one', async () => {
      const file = await aJpeg();
      const asset = await anUpload(maya, file.slice(0, -2), 'post_image');
      expect((await downloadFile(maya, asset)).bytes).toEqual(file);
    });

    // docs/product.md M6, M12
    test('a picture above 8 megapixels has no blurhash', async () => {
      const file = await aJpeg({ width: 4000, height: 2001 });
      expect(await anUpload(maya, file, 'post_image')).toMatchObject({
        width: 4000,
        height: 2001,
        blurhash: null,
      });
    });

    test('a document is downloaded under its file name', async () => {
      const asset = await anUpload(maya, aPdf(), 'document', { fileName: 'minutes.pdf' });
      const { headers, bytes } = await downloadFile(maya, asset);
      expect(bytes).toEqual(aPdf());
      expect(headers.get('content-disposition')).toMatch(/^attachment.*minutes\.pdf/);
    });

    test('a document of 19 MiB is uploaded and downloaded unchanged', async () => {
      const noise = crypto.getRandomValues(new Uint8Array(65_536));
      const parts = Array.from({ length: 300 }, () => noise);
      const file = new Uint8Array(Buffer.concat([aPdf(), ...parts]));
      const asset = await anUpload(maya, file, 'document');
      expect(asset.checksum).toBe(checksumOf(file));
      expect(checksumOf((await downloadFile(maya, asset)).bytes)).toBe(asset.checksum);
    });

    test('a profile photo is public', async () => {
      const file = await aPng();
      const photo = await anUpload(maya, file);
      const { data } = await maya.patch('/users/me/profile', { profileAssetId: photo.assetId });
      expect(data.profilePhotoUrl).toBe(photoUrlOf(storage, photo));
      expect(await fetchFile(data.profilePhotoUrl)).toMatchObject({ status: 200, bytes: file });
    });

    test('a wrong file is refused, and the right file is accepted afterwards', async () => {
      const [file, other] = [await aPng(), await aPng({ green: 99 })];
      const presigned = await aPresignedUpload(maya, file);
      expect(await completeUpload(maya, presigned, file)).toMatchObject(conflict('object_missing'));
      await putFile(presigned, other);
      expect(await completeUpload(maya, presigned, file)).toMatchObject(conflict('checksum_mismatch'));
      await putFile(presigned, aPdf());
      expect(await completeUpload(maya, presigned, aPdf())).toMatchObject(conflict('content_mismatch'));
      await putFile(presigned, file);
      expect((await completeUpload(maya, presigned, file)).status).toBe(201);
    });

    test('a completion is 503 during a storage outage and succeeds afterwards', async () => {
      const file = await aJpeg();
      const sent = await aPendingUpload(maya, file);
      await storage.takeDown();
      try {
        expect(await completeUpload(maya, sent, file)).toMatchObject(refusal(503, 'SERVICE_UNAVAILABLE'));
      } finally {
        await storage.bringBack();
      }
      expect((await completeUpload(maya, sent, file)).status).toBe(201);
    });
  });
});

import { describe, expect, test } from 'vitest';
import type { Images } from '../../src/images/images.ts';
import type { Bucket } from '../../src/storage/buckets.ts';
import { createIntake, type ExpectedFile } from '../../src/storage/intake.ts';
import type { NewObject, Objects } from '../../src/storage/objects.ts';
import { stopTimeouts } from '../support/clock.ts';
import { aPdf, aPng, type Bytes } from '../support/pictures.ts';
import { eventually } from '../support/streams.ts';
import { checksumOf } from '../support/uploads.ts';

const UNAVAILABLE = { code: 'SERVICE_UNAVAILABLE' };
const SIZES = { width: 4, height: 3, blurhash: 'a hash', thumbnail: new Uint8Array([1]) };
const IMAGES: Images = { prepare: async (bytes) => ({ bytes, ...SIZES }) };

/** Returns the announcement of a file. */
function expected(file: Bytes, contentType = 'application/pdf', bucket: Bucket = 'media'): ExpectedFile {
  const [uploadId, assetId] = [crypto.randomUUID(), crypto.randomUUID()];
  return { uploadId, assetId, bucket, contentType, checksum: checksumOf(file), sizeBytes: file.length };
}

/** A storage in memory, of which every upload is `file`. Uploads open when `opening` resolves. */
function storageOf(file: Bytes, opening: Promise<void> = Promise.resolve()) {
  const opened: string[] = [];
  const stored: [bucket: Bucket, key: string, object: NewObject][] = [];
  const objects: Objects = {
    open: async (_, key) => {
      opened.push(key);
      await opening;
      return new Blob([file]).stream();
    },
    put: async (...object) => void stored.push(object),
    remove: async () => {},
    list: async function* () {},
  };
  return { objects, opened, stored };
}

describe('the intake of uploads', () => {
  test('an upload is stored with its content type, and its thumbnail beside it as WebP', async () => {
    const file = await aPng({ width: 4, height: 3 });
    const { objects, stored } = storageOf(file);
    const announced = expected(file, 'image/png', 'photos');
    const { assetId } = announced;
    expect(await createIntake(objects, IMAGES).take(announced)).toEqual({
      assetId,
      width: 4,
      height: 3,
      blurhash: 'a hash',
      hasThumbnail: true,
    });
    expect(stored).toEqual([
      ['photos', assetId, { bytes: file, contentType: 'image/png' }],
      ['photos', `${assetId}-thumbnail`, { bytes: SIZES.thumbnail, contentType: 'image/webp' }],
    ]);
  });

  test('an upload that is not ready after 20 seconds is refused, and not stored later', async () => {
    const passTime = stopTimeouts();
    const file = await aPng();
    const preparing = Promise.withResolvers<void>();
    const finished = Promise.withResolvers<void>();
    const images: Images = {
      prepare: async (bytes) => {
        await preparing.promise;
        setImmediate(finished.resolve);
        return { bytes, ...SIZES };
      },
    };
    const { objects, opened, stored } = storageOf(file);
    let isSettled = false;
    const taken = createIntake(objects, images)
      .take(expected(file, 'image/png'))
      .catch((error: unknown) => error)
      .finally(() => {
        isSettled = true;
      });
    await eventually(() => opened.length).toBe(1);
    passTime(19_900);
    await new Promise(setImmediate);
    expect(isSettled).toBe(false);
    passTime(100);
    expect(await taken).toMatchObject(UNAVAILABLE);
    preparing.resolve();
    await finished.promise;
    await new Promise(setImmediate);
    expect(stored).toEqual([]);
  });

  test('an upload waits while four others are in memory, is refused after 20 seconds, and not read later', async () => {
    const passTime = stopTimeouts();
    const file = aPdf();
    const opening = Promise.withResolvers<void>();
    const { objects, opened, stored } = storageOf(file, opening.promise);
    const intake = createIntake(objects, IMAGES);
    const announced = Array.from({ length: 5 }, () => expected(file));
    const taken = announced.map((one) => intake.take(one).catch((error: unknown) => error));
    await eventually(() => opened).toEqual(announced.slice(0, 4).map(({ uploadId }) => uploadId));
    passTime(20_000);
    for (const outcome of await Promise.all(taken)) expect(outcome).toMatchObject(UNAVAILABLE);
    opening.resolve();
    const later = expected(file);
    const { assetId } = later;
    const withoutPicture = { width: null, height: null, blurhash: null, hasThumbnail: false };
    expect(await intake.take(later)).toEqual({ assetId, ...withoutPicture });
    expect(opened).toHaveLength(5);
    expect(stored.map(([, key]) => key)).toEqual([later.assetId]);
  });

  test('an upload is refused as unavailable when the decoder cannot run', async () => {
    const file = await aPng();
    const { objects, stored } = storageOf(file);
    const images: Images = { prepare: () => Promise.reject(new Error('no memory')) };
    const taken = createIntake(objects, images).take(expected(file, 'image/png'));
    await expect(taken).rejects.toMatchObject(UNAVAILABLE);
    expect(stored).toEqual([]);
  });

  test('an upload of which storage refuses the thumbnail is refused', async () => {
    const file = await aPng();
    const { objects } = storageOf(file);
    const put: Objects['put'] = async (_, key) => {
      if (key.endsWith('-thumbnail')) throw new Error('refused');
    };
    const taken = createIntake({ ...objects, put }, IMAGES).take(expected(file, 'image/png'));
    await expect(taken).rejects.toThrow('refused');
  });
});

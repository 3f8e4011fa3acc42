import { afterAll, beforeAll, expect, test } from 'vitest';
import { declared } from '../images/odd-pictures.ts';
import { type Json, refusal } from '../support/client.ts';
import { anonymousPerson, type Person } from '../support/people.ts';
import { ALL_METADATA, aJpeg, aPdf, aPng, aWebp, type Bytes, tracesIn } from '../support/pictures.ts';
import { type OpineWithStorage, startOpineWithStorage } from '../support/storage.ts';
import {
  anUpload,
  aPendingUpload,
  checksumOf,
  completeUpload,
  downloadFile,
  fetchFile,
  photoUrlOf,
} from '../support/uploads.ts';

let opine: OpineWithStorage;
let maya: Person;

beforeAll(async () => {
  opine = await startOpineWithStorage();
  maya = await anonymousPerson(opine);
});

afterAll(() => opine.stop());

/** Uploads `file` and returns its asset and the stored bytes. */
async function stored(file: Bytes): Promise<{ asset: Json; kept: Bytes }> {
  const asset = await anUpload(maya, file, 'post_image');
  return { asset, kept: (await downloadFile(maya, asset)).bytes };
}

// docs/product.md M6
test.each([
  ['JPEG', aJpeg],
  ['PNG', aPng],
  ['WebP', aWebp],
])(
  'a stored %s has its orientation and no other metadata, and the asset the checksum of the upload',
  async (_, make) => {
    const file = await make({ ...ALL_METADATA, orientation: 6 });
    const { asset, kept } = await stored(file);
    expect(asset).toMatchObject({
      sizeBytes: file.length,
      checksum: checksumOf(file),
      width: 32,
      height: 48,
      blurhash: expect.any(String),
    });
    expect(tracesIn(kept)).toEqual([]);
    // The tag, its type and count, and its value, in either order of bytes.
    expect(Buffer.from(kept).toString('hex')).toMatch(/01120003000000010006|12010300010000000600/);
    expect((await stored(kept)).kept).toEqual(kept);
  },
);

// docs/product.md M12
test('an image above 120 megapixels is refused as too_large', async () => {
  const file = Uint8Array.from(declared(await aPng(), 'image/png', 12_001, 10_000));
  expect(await completeUpload(maya, await aPendingUpload(maya, file), file)).toMatchObject(
    refusal(409, 'UPLOAD_CONFLICT', { reason: 'content_mismatch', cause: 'too_large' }),
  );
});

test.each(['profile_photo', 'hub_photo'] as const)('a public %s has no metadata', async (purpose) => {
  const photo = await anUpload(maya, await aJpeg(ALL_METADATA), purpose);
  const { status, bytes } = await fetchFile(photoUrlOf(opine.storage, photo));
  expect([status, tracesIn(bytes)]).toEqual([200, []]);
});

test('a document is kept byte for byte', async () => {
  const file = aPdf('by Maya, at home');
  const asset = await anUpload(maya, file, 'document');
  expect((await downloadFile(maya, asset)).bytes).toEqual(file);
});

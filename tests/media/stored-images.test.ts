import { deflateSync } from 'node:zlib';
import { decode } from 'blurhash';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, refusal } from '../support/client.ts';
import { anonymousPerson, type Person } from '../support/people.ts';
import {
  ALL_METADATA,
  aJpeg,
  aPdf,
  aPng,
  ascii,
  aWebp,
  type Bytes,
  bytes,
  ICC_PROFILE,
  METADATA_TRACES,
  type PictureOptions,
  pngChunk,
  tracesIn,
} from '../support/pictures.ts';
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

interface Kind {
  make(options?: PictureOptions): Promise<Bytes>;
  /** Offset of the pixels in a file without metadata. */
  readonly pixelsAt: number;
  /** The colour profile as encoded in a file. */
  readonly icc: Bytes;
}

const KINDS: readonly (readonly [name: string, kind: Kind])[] = [
  ['JPEG', { make: aJpeg, pixelsAt: 20, icc: ICC_PROFILE }],
  [
    'progressive JPEG',
    { make: (options) => aJpeg({ ...options, progressive: true }), pixelsAt: 20, icc: ICC_PROFILE },
  ],
  ['PNG', { make: aPng, pixelsAt: 33, icc: new Uint8Array(deflateSync(ICC_PROFILE)) }],
  ['WebP', { make: aWebp, pixelsAt: 12, icc: ICC_PROFILE }],
  [
    'lossless WebP',
    { make: (options) => aWebp({ ...options, lossless: true }), pixelsAt: 12, icc: ICC_PROFILE },
  ],
];

const has = (file: Uint8Array, part: Uint8Array) => Buffer.from(file).includes(Buffer.from(part));

/** Uploads `file` and returns its asset and the stored bytes. */
async function stored(file: Bytes): Promise<{ asset: Json; kept: Bytes }> {
  const asset = await anUpload(maya, file, 'post_image');
  return { asset, kept: (await downloadFile(maya, asset)).bytes };
}

/** Creates a white PNG of 1 bit per pixel, small at any dimensions. `rows` is the number of rows that it really has. */
function aWhitePng(width: number, height: number, rows = height): Bytes {
  const row = bytes(Uint8Array.of(0), new Uint8Array(Math.ceil(width / 8)).fill(255));
  const pixels = new Uint8Array(row.length * rows);
  for (let at = 0; at < pixels.length; at += row.length) pixels.set(row, at);
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, width);
  header.setUint32(4, height);
  header.setUint8(8, 1);
  return bytes(
    ascii('\x89PNG\r\n\x1a\n'),
    pngChunk('IHDR', new Uint8Array(header.buffer)),
    pngChunk('IDAT', deflateSync(pixels)),
    pngChunk('IEND'),
  );
}

describe.each(KINDS)('a stored %s', (_, { make, pixelsAt, icc }) => {
  test('a file without metadata is kept byte for byte', async () => {
    const file = await make();
    const { kept } = await stored(file);
    expect(kept).toEqual(file);
  });

  test('all metadata is removed, and the pixels, the colour profile and the checksum of the upload stay', async () => {
    const file = await make(ALL_METADATA);
    expect(tracesIn(file).sort()).toEqual(Object.keys(METADATA_TRACES).sort());
    const { asset, kept } = await stored(file);
    expect(tracesIn(kept)).toEqual([]);
    const plain = await make();
    expect(has(kept, plain.subarray(pixelsAt))).toBe(true);
    expect([has(file, icc), has(kept, icc)]).toEqual([true, true]);
    expect(asset).toMatchObject({
      sizeBytes: file.length,
      checksum: checksumOf(file),
      width: 48,
      height: 32,
    });
  });

  test.each(['gps', 'xmp', 'comment', 'trailing'])(
    'the %s is removed as the only metadata',
    async (trace) => {
      const { kept } = await stored(await make({ [trace]: true }));
      expect(tracesIn(kept)).toEqual([]);
    },
  );

  test('the orientation is kept without other EXIF data, and a second upload of the stored file changes nothing', async () => {
    const { asset, kept } = await stored(await make({ ...ALL_METADATA, orientation: 6 }));
    expect(asset).toMatchObject({ width: 32, height: 48 });
    // The tag, its type and count, and its value, in either order of bytes.
    const orientation = /01120003000000010006|12010300010000000600/;
    expect(Buffer.from(kept).toString('hex')).toMatch(orientation);
    expect(tracesIn(kept)).toEqual([]);
    expect((await stored(kept)).kept).toEqual(kept);
  });
});

describe('the dimensions and the blurhash of an image', () => {
  test.each([
    [1, 48, 32],
    [2, 48, 32],
    [3, 48, 32],
    [4, 48, 32],
    [5, 32, 48],
    [6, 32, 48],
    [7, 32, 48],
    [8, 32, 48],
  ])('orientation %i answers the displayed size %i by %i', async (orientation, width, height) => {
    const { asset } = await stored(await aJpeg({ orientation }));
    expect(asset).toMatchObject({ width, height });
  });

  /** Returns the red at the middle of each edge of a blurhash. */
  function redOf({ blurhash }: Json): Record<'left' | 'right' | 'top' | 'bottom', number> {
    const size = 8;
    const pixels = decode(blurhash, size, size);
    const red = (x: number, y: number) => pixels[(y * size + x) * 4] ?? Number.NaN;
    return { left: red(0, 4), right: red(7, 4), top: red(4, 0), bottom: red(4, 7) };
  }

  test('the blurhash shows the image as displayed', async () => {
    const [upright, turned, quarter] = await Promise.all(
      [1, 3, 6].map(async (orientation) => redOf((await stored(await aJpeg({ orientation }))).asset)),
    );
    expect(upright?.right).toBeGreaterThan((upright?.left ?? 255) + 50);
    expect(turned?.left).toBeGreaterThan((turned?.right ?? 255) + 50);
    expect(quarter?.bottom).toBeGreaterThan((quarter?.top ?? 255) + 50);
  });

  test('an image has a blurhash up to 24 megapixels', async () => {
    const { asset } = await stored(aWhitePng(6000, 4000));
    expect(asset).toMatchObject({ width: 6000, height: 4000, blurhash: expect.any(String) });
    const larger = await stored(aWhitePng(6001, 4000));
    expect(larger.asset).toMatchObject({ width: 6001, height: 4000, blurhash: null });
  });

  test('an image above 100 megapixels or without area is refused', async () => {
    const { asset } = await stored(aWhitePng(10_000, 10_000));
    expect(asset).toMatchObject({ width: 10_000, height: 10_000, blurhash: null });
    const mismatch = refusal(409, 'UPLOAD_CONFLICT', { reason: 'content_mismatch' });
    for (const file of [aWhitePng(10_001, 10_000), aWhitePng(65_535, 65_535, 1), aWhitePng(0, 10)]) {
      expect(await completeUpload(maya, await aPendingUpload(maya, file), file)).toMatchObject(mismatch);
    }
  });
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

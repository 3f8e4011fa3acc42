import { describe, expect, test } from 'vitest';
import { type ImageType, strip } from '../../src/images/strip.ts';
import {
  ALL_METADATA,
  aJpeg,
  aPng,
  aWebp,
  bytes,
  ICC_PROFILE,
  METADATA_TRACES,
  type PictureOptions,
  tracesIn,
} from '../support/pictures.ts';
import { decoded } from './decoding.ts';

type Build = (options?: PictureOptions) => Promise<Uint8Array>;

const KINDS: [string, ImageType, Build][] = [
  ['a JPEG', 'image/jpeg', aJpeg],
  ['a progressive JPEG', 'image/jpeg', (options) => aJpeg({ ...options, progressive: true })],
  ['a PNG', 'image/png', aPng],
  ['a WebP', 'image/webp', aWebp],
  ['a lossless WebP', 'image/webp', (options) => aWebp({ ...options, lossless: true })],
];

// docs/product.md M6
describe.each(KINDS)('strip of %s', (_, type, build) => {
  test('all metadata is removed and the pixels stay the same', async () => {
    const file = await build(ALL_METADATA);
    expect(tracesIn(file).toSorted()).toEqual(Object.keys(METADATA_TRACES).toSorted());
    const stripped = strip(file, type);
    expect(tracesIn(stripped?.bytes ?? file)).toEqual([]);
    expect(await decoded(stripped?.bytes ?? file)).toEqual(await decoded(await build()));
  });

  test('the colour profile is kept', async () => {
    const file = await build({ icc: true });
    expect(strip(file, type)?.bytes).toEqual(file);
    const all = Buffer.from(strip(await build(ALL_METADATA), type)?.bytes ?? []);
    expect(all).toEqual(Buffer.from(file));
    if (type !== 'image/png') expect(all.includes(Buffer.from(ICC_PROFILE))).toBe(true);
  });

  test('a file without metadata is returned byte for byte', async () => {
    const file = await build();
    expect(strip(file, type)?.bytes).toEqual(file);
  });

  test('a subarray of a larger buffer is stripped and the buffer stays unchanged', async () => {
    const file = await build({ orientation: 3, xmp: true });
    const around = bytes(METADATA_TRACES.comment, file, METADATA_TRACES.comment);
    const before = around.slice();
    const inside = around.subarray(
      METADATA_TRACES.comment.length,
      METADATA_TRACES.comment.length + file.length,
    );
    expect(strip(inside, type)).toEqual(strip(file, type));
    expect(around).toEqual(before);
  });

  test.each([2, 3, 4, 5, 6, 7, 8])('orientation %i is kept without other EXIF data', async (orientation) => {
    const stripped = strip(await build({ ...ALL_METADATA, orientation }), type);
    expect(stripped?.orientation).toBe(orientation);
    const file = stripped?.bytes ?? new Uint8Array();
    expect(tracesIn(file)).toEqual([]);
    // A second strip reads the kept EXIF and removes nothing.
    expect(strip(file, type)).toEqual(stripped);
    expect(file.length).toBeLessThan((await build({ icc: true })).length + 60);
  });

  test.each([0, 1, 9, 300])('EXIF with orientation %i is removed entirely', async (orientation) => {
    const stripped = strip(await build({ gps: true, orientation }), type);
    expect(stripped?.orientation).toBe(1);
    expect(Buffer.from(stripped?.bytes ?? []).includes('MM\0*')).toBe(false);
    expect(Buffer.from(stripped?.bytes ?? []).includes('Exif')).toBe(false);
  });

  test('bytes after the end of the image are removed', async () => {
    const file = await build();
    const motion = bytes(file, METADATA_TRACES.trailing, await aJpeg(ALL_METADATA));
    expect(strip(motion, type)?.bytes).toEqual(file);
  });

  test('the file is refused as any other image type', async () => {
    const file = await build();
    for (const other of ['image/jpeg', 'image/png', 'image/webp'] as const) {
      if (other !== type) expect(strip(file, other)).toBeNull();
    }
  });
});

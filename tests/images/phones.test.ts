import { performance } from 'node:perf_hooks';
import { deflateSync } from 'node:zlib';
import { decode } from 'blurhash';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, test } from 'vitest';
import type { ImageType } from '../../src/images/strip.ts';
import { anIccProfile, D50, gamma, xyz } from '../support/icc.ts';
import { aJpeg, ascii, bytes, pngChunk, sharpOf } from '../support/pictures.ts';
import { images, prepared } from './decoding.ts';
import { aGreyPng, declared } from './odd-pictures.ts';

/** Encodes a photo of one colour. */
function aPhoto(width: number, height: number): Promise<Buffer> {
  const create = { width, height, channels: 3, background: '#3080c0' } as const;
  return sharp({ create, limitInputPixels: false }).jpeg({ optimiseCoding: false }).toBuffer();
}

test.each([
  [24.5, 5712, 4284],
  [48, 8064, 6048],
  [50, 8160, 6120],
  [108, 12_000, 9_000],
])(
  'a photo of %d megapixels has a thumbnail, and decoding it takes at most 64 MB',
  async (_, width, height) => {
    const photo = await aPhoto(width, height);
    const before = process.memoryUsage.rss();
    const { thumbnail, ...picture } = await prepared(photo, 'image/jpeg');
    expect((process.memoryUsage.rss() - before) / 1e6).toBeLessThan(64);
    expect(picture).toMatchObject({
      width,
      height,
      bytes: new Uint8Array(photo),
      blurhash: expect.any(String),
    });
    expect(await sharp(thumbnail ?? photo).metadata()).toMatchObject({
      format: 'webp',
      width: 640,
      height: 480,
    });
  },
);

test('decoding does not block the event loop', async () => {
  const photo = await aPhoto(8160, 6120);
  const before = performance.eventLoopUtilization();
  await Promise.all([1, 2, 3, 4].map(() => prepared(photo, 'image/jpeg')));
  expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5);
});

// docs/product.md M12
describe('a picture whose decoding takes more than 400 MB is too large', () => {
  const of120Megapixels = async (file: Sharp, type: ImageType) =>
    images.prepare(declared(await file.toBuffer(), type, 12_000, 10_000), type);

  test.each<[string, ImageType, Sharp, Sharp]>([
    [
      'a progressive JPEG with all colours',
      'image/jpeg',
      sharpOf().jpeg({ progressive: true }),
      sharpOf().jpeg({ progressive: true, chromaSubsampling: '4:4:4' }),
    ],
    [
      'an interlaced PNG with transparency',
      'image/png',
      sharpOf().png({ progressive: true }),
      sharpOf().ensureAlpha().png({ progressive: true }),
    ],
    ['a lossless WebP', 'image/webp', sharpOf().webp(), sharpOf().webp({ lossless: true })],
  ])('%s', async (_, type, small, large) => {
    // The decoder misses pixels of a picture that is not too large.
    expect(await of120Megapixels(small, type)).toBe('not_decodable');
    expect(await of120Megapixels(large, type)).toBe('too_large');
  });
});

/** Returns the mean colour of a thumbnail, and that of the blurhash. */
async function coloursOf(file: Uint8Array, type: string): Promise<number[][]> {
  const { thumbnail, blurhash } = await prepared(file, type);
  const { channels } = await sharp(thumbnail ?? file).stats();
  const pixels = decode(blurhash ?? '', 16, 12);
  const meanAt = (channel: number) =>
    pixels.reduce((sum, value, at) => sum + (at % 4 === channel ? value : 0), 0) / (16 * 12);
  return [channels.slice(0, 3).map(({ mean }) => mean), [0, 1, 2].map(meanAt)];
}

const plain = (background: string) =>
  sharp({ create: { width: 64, height: 48, channels: 3, background } as const });

// docs/product.md M12
describe('the colours of thumbnail and blurhash are those of sRGB', () => {
  const [red, green, blue] = [60, 180, 90];
  const colour = `rgb(${red}, ${green}, ${blue})`;

  test.each<[string, string, () => Promise<Buffer>]>([
    ['a JPEG in Display P3', 'image/jpeg', () => plain(colour).withIccProfile('p3').jpeg().toBuffer()],
    ['a PNG in Display P3', 'image/png', () => plain(colour).withIccProfile('p3').png().toBuffer()],
    ['a WebP in Display P3', 'image/webp', () => plain(colour).withIccProfile('p3').webp().toBuffer()],
    [
      'a JPEG in CMYK',
      'image/jpeg',
      () => plain(colour).toColourspace('cmyk').withIccProfile('cmyk').jpeg().toBuffer(),
    ],
    ['a CMYK without a profile', 'image/jpeg', () => plain(colour).toColourspace('cmyk').jpeg().toBuffer()],
    ['a PNG of 16 bits', 'image/png', () => plain(colour).toColourspace('rgb16').png().toBuffer()],
  ])('%s', async (_, type, make) => {
    const file = await make();
    const { thumbnail, bytes } = await prepared(file, type);
    expect(bytes).toEqual(new Uint8Array(file));
    expect((await sharp(thumbnail ?? file).metadata()).icc).toBeUndefined();
    for (const [r = 0, g = 0, b = 0] of await coloursOf(file, type)) {
      expect(Math.abs(r - red)).toBeLessThan(24);
      expect(Math.abs(g - green)).toBeLessThan(24);
      expect(Math.abs(b - blue)).toBeLessThan(24);
    }
  });

  test.each([8, 16] as const)('a grey of %i bits with a linear profile', async (depth) => {
    const grey = aGreyPng({ depth, width: 64, height: 48, value: 0x80 });
    const profile = anIccProfile('GRAY', { wtpt: D50, kTRC: gamma(1) });
    for (const mean of (await coloursOf(withProfile(grey, profile), 'image/png')).flat())
      expect(Math.abs(mean - 188)).toBeLessThan(6);
  });

  test('a PNG in ProPhoto RGB', async () => {
    const profile = anIccProfile('RGB ', {
      wtpt: D50,
      rXYZ: xyz(0.7977, 0.288, 0),
      gXYZ: xyz(0.1352, 0.7119, 0),
      bXYZ: xyz(0.0313, 0.0001, 0.8249),
      ...Object.fromEntries(['rTRC', 'gTRC', 'bTRC'].map((tag) => [tag, gamma(1.8)])),
    });
    const file = await plain('rgb(100, 140, 80)').png().toBuffer();
    const [[red = 0, green = 0, blue = 0] = []] = await coloursOf(withProfile(file, profile), 'image/png');
    // The primaries lie far outside of sRGB, so its values are further apart.
    expect(red).toBeLessThan(95);
    expect(green).toBeGreaterThan(150);
    expect(blue).toBeLessThan(95);
  });
});

/** Returns a PNG with a profile behind its header. */
function withProfile(png: Uint8Array, profile: Uint8Array): Uint8Array {
  const chunk = pngChunk('iCCP', ascii('profile\0\0'), new Uint8Array(deflateSync(profile)));
  return bytes(png.subarray(0, 33), chunk, png.subarray(33));
}

test('pictures are decoded one at a time, and each gets its own answer', async () => {
  const good = await aJpeg({ width: 800, height: 600 });
  const bad = good.slice(0, -200);
  const files = Array.from({ length: 12 }, (_, index) => (index % 3 === 1 ? bad : good));
  const answers = await Promise.all(files.map((file) => images.prepare(file, 'image/jpeg')));
  expect(answers.map((answer) => typeof answer)).toEqual(
    files.map((file) => (file === bad ? 'string' : 'object')),
  );
});

test('a file of another format does not reach the decoder of that format', async () => {
  const gif = await sharpOf().gif().toBuffer();
  expect(await images.prepare(gif, 'image/png')).toBe('not_decodable');
});

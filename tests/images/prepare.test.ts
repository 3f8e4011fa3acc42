import { deflateSync } from 'node:zlib';
import { decode } from 'blurhash';
import { describe, expect, test } from 'vitest';
import {
  ALL_METADATA,
  aJpeg,
  aPdf,
  aPng,
  ascii,
  aWebp,
  bytes,
  type PictureOptions,
  pngChunk,
  tracesIn,
} from '../support/pictures.ts';
import { cpuSince, decoded, images, prepared } from './decoding.ts';
import { aClearPng, aGreyPng, declared } from './odd-pictures.ts';

type Build = (options?: PictureOptions) => Promise<Uint8Array>;

const KINDS: [string, Build][] = [
  ['image/jpeg', aJpeg],
  ['image/png', aPng],
  ['image/webp', aWebp],
];

/** Returns the strong colours in the four corners of a blurhash: `r` for red, `b` for blue. */
function cornersOf(blurhash: string | null | undefined): string[] {
  const pixels = decode(blurhash ?? '', 8, 8);
  return [0, 7, 56, 63].map((at) => {
    const [red = 0, , blue = 0] = pixels.subarray(at * 4);
    return `${red > 127 ? 'r' : '.'}${blue > 127 ? 'b' : '.'}`;
  });
}

// docs/product.md M12
describe.each(KINDS)('prepare of %s', (type, build) => {
  test('the answer has the dimensions and a blurhash with red to the right and blue at the bottom', async () => {
    const picture = await prepared(await build(), type);
    expect(picture).toMatchObject({ width: 48, height: 32, bytes: await build() });
    expect(cornersOf(picture.blurhash)).toEqual(['..', 'r.', '.b', 'rb']);
  });

  test.each([
    [2, 48, 32, ['r.', '..', 'rb', '.b']],
    [3, 48, 32, ['rb', '.b', 'r.', '..']],
    [4, 48, 32, ['.b', 'rb', '..', 'r.']],
    [5, 32, 48, ['..', '.b', 'r.', 'rb']],
    [6, 32, 48, ['.b', '..', 'rb', 'r.']],
    [7, 32, 48, ['rb', 'r.', '.b', '..']],
    [8, 32, 48, ['r.', 'rb', '..', '.b']],
  ])(
    'orientation %i answers %i by %i and turns the blurhash',
    async (orientation, width, height, corners) => {
      const picture = await prepared(await build({ orientation }), type);
      expect(picture).toMatchObject({ width, height });
      expect(cornersOf(picture.blurhash)).toEqual(corners);
    },
  );

  test('the blurhash has more components along the longer side', async () => {
    const sizeFlag = async (options: PictureOptions) =>
      (await prepared(await build(options), type)).blurhash?.at(0);
    expect(await sizeFlag({ width: 40, height: 20 })).toBe('L');
    expect(await sizeFlag({ width: 20, height: 40 })).toBe('T');
    expect(await sizeFlag({ width: 20, height: 40, orientation: 6 })).toBe('L');
  });

  test.each([
    [1, 1],
    [1, 300],
    [300, 1],
  ])('a picture of %i by %i has a blurhash', async (width, height) => {
    expect(await prepared(await build({ width, height }), type)).toMatchObject({
      width,
      height,
      blurhash: expect.stringMatching(/^.{28}$/),
    });
  });

  test.each([
    [1, 1280, 800, 640, 400, ['..', 'r.', '.b', 'rb']],
    [6, 1280, 800, 400, 640, ['.b', '..', 'rb', 'r.']],
    [1, 48, 32, 48, 32, ['..', 'r.', '.b', 'rb']],
  ])(
    'orientation %i of %i by %i has a thumbnail of %i by %i, turned and without metadata',
    async (orientation, width, height, across, down, corners) => {
      const options = { ...ALL_METADATA, orientation, width, height };
      const { thumbnail } = await prepared(await build(options), type);
      if (!thumbnail) throw new Error('There is no thumbnail.');
      expect(tracesIn(thumbnail)).toEqual([]);
      expect(await images.prepare(thumbnail, 'image/webp')).toMatchObject({
        width: across,
        height: down,
        bytes: thumbnail,
      });
      expect(cornersOf((await prepared(thumbnail, 'image/webp')).blurhash)).toEqual(corners);
    },
  );

  test('a wrong content type is not decodable', async () => {
    for (const [other] of KINDS) {
      if (other !== type) expect(await images.prepare(await build(), other)).toBe('not_decodable');
    }
    expect(await images.prepare(await build(), 'application/pdf')).toBe('not_decodable');
    expect(await images.prepare(await build(), 'toString')).toBe('not_decodable');
    expect(await images.prepare(aPdf(), type)).toBe('not_decodable');
  });

  test('a picture whose header declares more pixels than it has is refused', async () => {
    const bigger = declared(await build(), type, 6000, 4000);
    expect(await images.prepare(bigger, type)).toBe('not_decodable');
  });

  test('a picture above 120 megapixels is too large', async () => {
    expect(await images.prepare(declared(await build(), type, 12_001, 10_000), type)).toBe('too_large');
    expect(await images.prepare(declared(await build(), type, 16_383, 16_383), type)).toBe('too_large');
    expect(await images.prepare(declared(await build(), type, 12_000, 10_000), type)).toBe('not_decodable');
  });
});

describe('prepare of a PNG', () => {
  test('a thumbnail keeps transparency', async () => {
    const { thumbnail } = await prepared(aClearPng(), 'image/png');
    const { data } = await decoded(thumbnail ?? new Uint8Array());
    expect([...data].filter((_, at) => at % 4 === 3).every((alpha) => alpha === 0)).toBe(true);
  });

  test.each([1, 2, 4, 8, 16])('a grey of %i bits is decoded', async (depth) => {
    const { blurhash } = await prepared(aGreyPng({ depth, width: 20, height: 10, value: 0xff }), 'image/png');
    expect(blurhash).toMatch(/^.{28}$/);
    expect([...decode(blurhash ?? '', 1, 1).subarray(0, 3)].every((value) => value > 250)).toBe(true);
  });

  // docs/product.md M12
  test('a declared size of 60000 by 60000, or of one endless row, is too large', async () => {
    for (const [width, height] of [
      [60_000, 60_000],
      [0xffffffff, 1],
      [65_536, 1],
    ] as const)
      expect(await images.prepare(declared(await aPng(), 'image/png', width, height), 'image/png')).toBe(
        'too_large',
      );
  });

  test('a colour profile that unpacks to 256 MiB does not delay decoding', async () => {
    const plain = await aPng();
    const bomb = pngChunk('iCCP', ascii('bomb\0\0'), deflateSync(new Uint8Array(1 << 28), { level: 1 }));
    const file = bytes(plain.subarray(0, 33), bomb, plain.subarray(33));
    const started = process.cpuUsage();
    expect((await prepared(file, 'image/png')).blurhash).toHaveLength(28);
    expect(cpuSince(started)).toBeLessThan(1000);
  });
});

test.each(['image/jpeg', 'image/png', 'image/webp'])('a side of zero is refused (%s)', async (type) => {
  const build = KINDS.find(([kind]) => kind === type)?.[1] ?? aJpeg;
  if (type !== 'image/webp')
    expect(await images.prepare(declared(await build(), type, 0, 10), type)).toBe('not_decodable');
  expect(await images.prepare(declared(await build(), type, 10, 0), type)).toBe('not_decodable');
});

test.each(KINDS)('the decoder of %s works again after pictures that make it fail', async (type, build) => {
  const good = await build({ width: 400, height: 300 });
  const bad = declared(good, type, 500, 300);
  if (type === 'image/jpeg') bad.fill(0xff, Buffer.from(bad).indexOf(Buffer.of(0xff, 0xdb)) + 4, 60);
  const before = await prepared(good, type);
  for (let count = 0; count < 20; count += 1) expect(await images.prepare(bad, type)).toBe('not_decodable');
  expect(await images.prepare(good, type)).toEqual(before);
});

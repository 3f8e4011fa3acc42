import { deflateSync } from 'node:zlib';
import { decode } from 'blurhash';
import { describe, expect, test } from 'vitest';
import { createImages, SERVER_MAX_PIXELS } from '../../src/images/images.ts';
import { nodeCodecs } from '../../src/images/node-codecs.ts';
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
import { decoded, images } from './decoding.ts';
import { aClearPng, aCmykJpeg, aGreyPng, declared } from './odd-pictures.ts';

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

describe.each(KINDS)('prepare of %s', (type, build) => {
  test('the answer has the dimensions and a blurhash with red to the right and blue at the bottom', async () => {
    const prepared = await images.prepare(await build(), type);
    expect(prepared).toMatchObject({ width: 48, height: 32, bytes: await build() });
    expect(cornersOf(prepared?.blurhash)).toEqual(['..', 'r.', '.b', 'rb']);
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
      const prepared = await images.prepare(await build({ orientation }), type);
      expect(prepared).toMatchObject({ width, height });
      expect(cornersOf(prepared?.blurhash)).toEqual(corners);
    },
  );

  test('the blurhash has more components along the longer side', async () => {
    const sizeFlag = async (options: PictureOptions) =>
      (await images.prepare(await build(options), type))?.blurhash?.at(0);
    expect(await sizeFlag({ width: 40, height: 20 })).toBe('L');
    expect(await sizeFlag({ width: 20, height: 40 })).toBe('T');
    expect(await sizeFlag({ width: 20, height: 40, orientation: 6 })).toBe('L');
  });

  test.each([
    [1, 1],
    [1, 300],
    [300, 1],
  ])('a picture of %i by %i has a blurhash', async (width, height) => {
    const prepared = await images.prepare(await build({ width, height }), type);
    expect(prepared).toMatchObject({ width, height, blurhash: expect.stringMatching(/^.{28}$/) });
  });

  test.each([
    [1, 1280, 800, 640, 400, ['..', 'r.', '.b', 'rb']],
    [6, 1280, 800, 400, 640, ['.b', '..', 'rb', 'r.']],
    [1, 48, 32, 48, 32, ['..', 'r.', '.b', 'rb']],
  ])(
    'orientation %i of %i by %i has a thumbnail of %i by %i, turned and without metadata',
    async (orientation, width, height, across, down, corners) => {
      const options = { ...ALL_METADATA, orientation, width, height };
      const { thumbnail } = (await images.prepare(await build(options), type)) ?? {};
      if (!thumbnail) throw new Error('There is no thumbnail.');
      expect(tracesIn(thumbnail)).toEqual([]);
      expect(await images.prepare(thumbnail, 'image/webp')).toMatchObject({
        width: across,
        height: down,
        bytes: thumbnail,
      });
      expect(cornersOf((await images.prepare(thumbnail, 'image/webp'))?.blurhash)).toEqual(corners);
    },
  );

  test('a wrong content type answers null', async () => {
    for (const [other] of KINDS) {
      if (other !== type) expect(await images.prepare(await build(), other)).toBeNull();
    }
    expect(await images.prepare(await build(), 'application/pdf')).toBeNull();
    expect(await images.prepare(await build(), 'toString')).toBeNull();
    expect(await images.prepare(aPdf(), type)).toBeNull();
  });

  test('a picture above 24 megapixels is not decoded', async () => {
    const prepared = await images.prepare(declared(await build({ orientation: 6 }), type, 6000, 4001), type);
    expect(prepared).toMatchObject({ width: 4001, height: 6000, blurhash: null, thumbnail: null });
    // Decoding fails: the file has fewer pixels than its header declares.
    if (type !== 'image/jpeg') {
      expect(await images.prepare(declared(await build(), type, 6000, 4000), type)).toBeNull();
    }
  });

  test('a picture above 100 megapixels is refused', async () => {
    expect(await images.prepare(declared(await build(), type, 10_000, 10_000), type)).not.toBeNull();
    expect(await images.prepare(declared(await build(), type, 10_000, 10_001), type)).toBeNull();
    expect(await images.prepare(declared(await build(), type, 16_383, 16_383), type)).toBeNull();
  });
});

describe('prepare of a PNG', () => {
  test('a thumbnail keeps transparency', async () => {
    const { thumbnail } = (await images.prepare(aClearPng(), 'image/png')) ?? {};
    const { data } = await decoded(thumbnail ?? new Uint8Array(), 'image/webp');
    expect([...data].filter((_, at) => at % 4 === 3).every((alpha) => alpha === 0)).toBe(true);
  });

  test.each([1, 2, 4, 8, 16])('a grey of %i bits is decoded', async (depth) => {
    const prepared = await images.prepare(
      aGreyPng({ depth, width: 20, height: 10, value: 0xff }),
      'image/png',
    );
    expect(prepared?.blurhash).toMatch(/^.{28}$/);
    expect([...decode(prepared?.blurhash ?? '', 1, 1).subarray(0, 3)].every((value) => value > 250)).toBe(
      true,
    );
  });

  test('a declared size of 60000 by 60000 is refused', async () => {
    expect(await images.prepare(declared(await aPng(), 'image/png', 60_000, 60_000), 'image/png')).toBeNull();
    expect(await images.prepare(declared(await aPng(), 'image/png', 0xffffffff, 1), 'image/png')).toBeNull();
  });

  test('a colour profile that unpacks to 256 MiB does not delay decoding', async () => {
    const plain = await aPng();
    const bomb = pngChunk('iCCP', ascii('bomb\0\0'), deflateSync(new Uint8Array(1 << 28), { level: 1 }));
    const file = bytes(plain.subarray(0, 33), bomb, plain.subarray(33));
    const started = performance.now();
    expect((await images.prepare(file, 'image/png'))?.blurhash).toHaveLength(28);
    expect(performance.now() - started).toBeLessThan(1000);
  });
});

test.each(['image/jpeg', 'image/png', 'image/webp'])('a side of zero is refused (%s)', async (type) => {
  const build = KINDS.find(([kind]) => kind === type)?.[1] ?? aJpeg;
  if (type !== 'image/webp')
    expect(await images.prepare(declared(await build(), type, 0, 10), type)).toBeNull();
  expect(await images.prepare(declared(await build(), type, 10, 0), type)).toBeNull();
});

test('a CMYK JPEG, which the decoder does not support, is accepted without a blurhash and a thumbnail', async () => {
  const file = aCmykJpeg();
  expect(await images.prepare(file, 'image/jpeg')).toEqual({
    bytes: file,
    width: 8,
    height: 8,
    blurhash: null,
    thumbnail: null,
  });
});

test('a JPEG that takes seconds to decode is accepted without a blurhash', async () => {
  const plain = declared(await aJpeg(), 'image/jpeg', 2200, 2200);
  const [scan, end] = [Buffer.from(plain).indexOf(Buffer.of(0xff, 0xda)), plain.length - 2];
  const withScans = (count: number) =>
    bytes(
      plain.subarray(0, end),
      ...Array.from({ length: count - 1 }, () => plain.subarray(scan, end)),
      plain.subarray(end),
    );
  expect(await images.prepare(withScans(64), 'image/jpeg')).toMatchObject({ width: 2200, blurhash: null });
});

test.each(KINDS)('the decoder of %s works again after pictures that make it fail', async (type, build) => {
  const good = await build({ width: 400, height: 300 });
  const bad = declared(good, type, 500, 300);
  if (type === 'image/jpeg') bad.fill(0xff, Buffer.from(bad).indexOf(Buffer.of(0xff, 0xdb)) + 4, 60);
  const before = await images.prepare(good, type);
  for (let count = 0; count < 20; count += 1) expect(await images.prepare(bad, type)).toBeNull();
  expect(before).not.toBeNull();
  expect(await images.prepare(good, type)).toEqual(before);
});

test('a decoder that fails to load throws and is loaded again', async () => {
  let isAway = true;
  const real = nodeCodecs();
  const read = async () => {
    if (isAway) throw new Error('no such file');
    return typeof real.png === 'function' ? real.png() : real.png;
  };
  const flaky = createImages({ ...real, png: read }, SERVER_MAX_PIXELS);
  await expect(flaky.prepare(await aPng(), 'image/png')).rejects.toThrow('no such file');
  isAway = false;
  expect(await flaky.prepare(await aPng(), 'image/png')).toMatchObject({ width: 48 });
});

test('createImages accepts codecs as bytes', async () => {
  const { jpeg, png, webp, webpEncoder } = nodeCodecs();
  const load = (wasm: typeof jpeg) => (typeof wasm === 'function' ? wasm() : wasm);
  const bundled = createImages(
    {
      jpeg: await load(jpeg),
      png: await load(png),
      webp: await load(webp),
      webpEncoder: await load(webpEncoder),
    },
    SERVER_MAX_PIXELS,
  );
  for (const [type, build] of KINDS) {
    expect(await bundled.prepare(await build(), type)).toEqual(await images.prepare(await build(), type));
  }
});

import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import type { ImageType } from '../../src/images/strip.ts';
import { aPng, aRiff, ascii, type Bytes, bytes, pngChunk, riffChunk, u24le } from '../support/pictures.ts';
import { images, prepared } from './decoding.ts';

/** A frame of one colour, with its place and size. */
interface Frame {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly red: number;
}

const CANVAS = { width: 64, height: 48 };
const FRAMES: readonly Frame[] = [
  { left: 32, top: 16, width: 16, height: 16, red: 255 },
  { left: 0, top: 0, width: 64, height: 48, red: 90 },
];

const u32 = (...values: number[]): Bytes => {
  const data = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) data.writeUInt32BE(value, 4 * index);
  return new Uint8Array(data);
};

function pixelsOf({ width, height, red }: Frame): Bytes {
  const row = bytes(Uint8Array.of(0), Buffer.alloc(width * 4, Uint8Array.of(red, 0, 0, 255)));
  return new Uint8Array(deflateSync(bytes(...Array.from({ length: height }, () => row))));
}

/** Creates an APNG, with another picture for programs without animation unless `frames` begin with the whole canvas. */
function anApng(frames: readonly Frame[], { frameCount = frames.length, cut = 0 } = {}): Bytes {
  let sequence = 0;
  const control = ({ left, top, width, height }: Frame) =>
    pngChunk('fcTL', u32(sequence++, width, height, left, top), Uint8Array.of(0, 1, 0, 10, 0, 0));
  const isFirstWhole = frames[0]?.width === CANVAS.width;
  const hidden = { left: 0, top: 0, ...CANVAS, red: 0 };
  const [first = hidden, ...others] = isFirstWhole ? frames : [hidden, ...frames];
  return bytes(
    ascii('\x89PNG\r\n\x1a\n'),
    pngChunk('IHDR', u32(CANVAS.width, CANVAS.height), Uint8Array.of(8, 6, 0, 0, 0)),
    pngChunk('acTL', u32(frameCount, 0)),
    isFirstWhole && control(first),
    pngChunk('IDAT', pixelsOf(first)),
    ...others.flatMap((frame) => {
      const pixels = pixelsOf(frame);
      const place = control(frame);
      return [place, pngChunk('fdAT', u32(sequence++), pixels.subarray(0, pixels.length - cut))];
    }),
    pngChunk('IEND'),
  );
}

/** Replaces the first chunk of a type in a PNG by chunks of that type with this data. */
function withChunk(file: Bytes, type: string, change: (data: Bytes) => Bytes[]): Bytes {
  const at = Buffer.from(file).indexOf(type) - 4;
  const end = at + 12 + Buffer.from(file).readUInt32BE(at);
  const changed = change(bytes(file.subarray(at + 8, end - 4))).map((data) => pngChunk(type, data));
  return bytes(file.subarray(0, at), ...changed, file.subarray(end));
}

/** Creates an animated WebP. */
async function anAnimatedWebp(frames: readonly Frame[], { cut = 0 } = {}): Promise<Bytes> {
  const parts = await Promise.all(
    frames.map(async ({ left, top, width, height, red }) => {
      const create = { width, height, channels: 3, background: { r: red, g: 0, b: 0 } } as const;
      const file = await sharp({ create }).webp({ lossless: true }).toBuffer();
      const data = file.subarray(20, 20 + file.readUInt32LE(16) - cut);
      const place = bytes(u24le(left / 2, top / 2, width - 1, height - 1, 100), Uint8Array.of(0));
      return riffChunk('ANMF', place, riffChunk('VP8L', data));
    }),
  );
  const canvas = bytes(Uint8Array.of(0x12, 0, 0, 0), u24le(CANVAS.width - 1, CANVAS.height - 1));
  return aRiff(riffChunk('VP8X', canvas), riffChunk('ANIM', new Uint8Array(6)), ...parts);
}

type Build = (frames: readonly Frame[], options?: { cut?: number }) => Promise<Bytes>;

const KINDS: [string, ImageType, Build][] = [
  ['an APNG', 'image/png', async (frames, options) => anApng(frames, options)],
  ['an animated WebP', 'image/webp', anAnimatedWebp],
];

// docs/product.md M6, M12
describe.each(KINDS)('%s', (_, type, build) => {
  test('the thumbnail is the whole canvas of the first frame', async () => {
    const file = await build(FRAMES);
    const picture = await prepared(file, type);
    expect(picture).toMatchObject({ ...CANVAS, bytes: file });
    const { data, info } = await sharp(picture.thumbnail ?? file)
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ ...CANVAS, channels: 4 });
    const at = (x: number, y: number) => [...data.subarray((y * CANVAS.width + x) * 4).subarray(0, 4)];
    expect(at(4, 4)[3]).toBe(0);
    expect(at(40, 24)[3]).toBe(255);
    expect(at(40, 24)[0]).toBeGreaterThan(230);
  });

  test('a frame outside the canvas is refused', async () => {
    for (const outside of [{ left: 50 }, { top: 34 }, { width: 66, left: 0 }])
      expect(await images.prepare(await build([{ ...FRAMES[0], ...outside } as Frame]), type)).toBe(
        'not_decodable',
      );
  });

  test('a later frame that lacks pixels is refused', async () => {
    expect(await images.prepare(await build(FRAMES, { cut: 6 }), type)).toBe('not_decodable');
  });

  test('frames of more than 250 megapixels in all are too large', async () => {
    const many = Array.from({ length: 3 }, () => FRAMES[1] as Frame);
    expect(typeof (await images.prepare(await build(many), type))).toBe('object');
    const huge = await hugeCopies(
      await build([FRAMES[1] as Frame, FRAMES[1] as Frame, FRAMES[1] as Frame]),
      type,
    );
    expect(await images.prepare(huge, type)).toBe('too_large');
  });
});

/** Returns an animation whose canvas and frames are declared to be 10,000 by 9,000. */
async function hugeCopies(file: Bytes, type: ImageType): Promise<Bytes> {
  if (type === 'image/webp') {
    const [width, height] = [10_000, 9_000];
    const canvas = bytes(Uint8Array.of(0x12, 0, 0, 0), u24le(width - 1, height - 1));
    const header = Buffer.alloc(5);
    header[0] = 0x2f;
    header.writeUInt32LE((width - 1) | ((height - 1) << 14), 1);
    const place = bytes(u24le(0, 0, width - 1, height - 1, 100), Uint8Array.of(0));
    const frame = riffChunk('ANMF', place, riffChunk('VP8L', header));
    return aRiff(riffChunk('VP8X', canvas), riffChunk('ANIM', new Uint8Array(6)), frame, frame, frame);
  }
  const copy = Buffer.from(file);
  for (let at = 8; at < copy.length; ) {
    const length = copy.readUInt32BE(at);
    const name = copy.toString('latin1', at + 4, at + 8);
    const data = bytes(copy.subarray(at + 8, at + 8 + length));
    if (name === 'IHDR') data.set(u32(10_000, 9_000), 0);
    if (name === 'fcTL') data.set(u32(10_000, 9_000), 4);
    copy.set(pngChunk(name, data), at);
    at += 12 + length;
  }
  return new Uint8Array(copy);
}

describe('an APNG', () => {
  test.each([
    ['announces more frames than it has', anApng(FRAMES, { frameCount: 3 })],
    ['announces no frame', anApng([], { frameCount: 0 })],
    ['announces its frames in seven bytes', withChunk(anApng(FRAMES), 'acTL', (data) => [data.subarray(1)])],
    ['announces its frames twice', withChunk(anApng(FRAMES), 'acTL', (data) => [data, data])],
    [
      'has a frame without its last byte of place',
      withChunk(anApng(FRAMES), 'fcTL', (data) => [data.subarray(1)]),
    ],
    ['has pixels of a frame without a number', withChunk(anApng(FRAMES), 'fdAT', () => [new Uint8Array(3)])],
    ['has a frame twice', withChunk(anApng(FRAMES), 'fcTL', (data) => [data, data])],
  ])('that %s is refused', async (_, file) => {
    expect(await images.prepare(file, 'image/png')).toBe('not_decodable');
  });

  test('with an orientation is turned, by the first one', async () => {
    const file = anApng([FRAMES[0] as Frame]);
    const exif = (orientation: string) =>
      pngChunk('eXIf', ascii(`MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0${orientation}\0\0\0\0\0\0`));
    const turned = await prepared(
      bytes(file.subarray(0, 33), exif('\x06'), exif('\x01'), file.subarray(33)),
      'image/png',
    );
    expect(turned).toMatchObject({ width: 48, height: 64 });
    expect(await sharp(turned.thumbnail ?? file).metadata()).toMatchObject({ width: 48, height: 64 });
  });

  test('without acTL is a still picture', async () => {
    const plain = await aPng();
    const frame = pngChunk('fcTL', new Uint8Array(26));
    const file = bytes(plain.subarray(0, 33), frame, plain.subarray(33));
    expect((await prepared(file, 'image/png')).bytes).toEqual(plain);
  });
});

describe('an animated WebP', () => {
  /** Returns one with the parts of its only frame. */
  const withParts = (...parts: Bytes[]) => {
    const place = bytes(u24le(0, 0, CANVAS.width - 1, CANVAS.height - 1, 100), Uint8Array.of(0));
    const canvas = bytes(Uint8Array.of(0x12, 0, 0, 0), u24le(CANVAS.width - 1, CANVAS.height - 1));
    const frame = riffChunk('ANMF', place, ...parts);
    return aRiff(riffChunk('VP8X', canvas), riffChunk('ANIM', new Uint8Array(6)), frame);
  };

  test.each([
    ['whose frame has no pixels', withParts(riffChunk('ALPH', new Uint8Array(4)))],
    ['whose frame ends within a part', withParts(ascii('VP8L'), Uint8Array.of(200, 0, 0, 0, 1, 2))],
    [
      'whose frame is shorter than its place',
      aRiff(
        riffChunk('VP8X', bytes(Uint8Array.of(0x12, 0, 0, 0), u24le(63, 47))),
        riffChunk('ANIM', new Uint8Array(6)),
        riffChunk('ANMF', new Uint8Array(15)),
      ),
    ],
  ])('%s is refused', async (_, file) => {
    expect(await images.prepare(file, 'image/webp')).toBe('not_decodable');
  });

  test('keeps the transparency of lossy frames', async () => {
    const size = { width: 16, height: 16, channels: 4 } as const;
    const frameOf = (red: number) => Buffer.alloc(16 * 16 * 4, Uint8Array.of(red, 10, 10, 128));
    const pixels = Buffer.concat([frameOf(200), frameOf(20)]);
    const raw = { ...size, height: 32, pageHeight: 16 };
    const file = await sharp(pixels, { raw }).webp({ quality: 60, loop: 0 }).toBuffer();
    expect(file.includes('ALPH')).toBe(true);
    const picture = await prepared(new Uint8Array(file), 'image/webp');
    expect(Buffer.from(picture.bytes).includes('ALPH')).toBe(true);
    expect(await sharp(picture.bytes, { pages: -1 }).metadata()).toMatchObject({ pages: 2, hasAlpha: true });
  });
});

test('a profile of an animated WebP holds for its frames', async () => {
  const still = await sharp({ create: { ...CANVAS, channels: 3, background: '#00f000' } })
    .withIccProfile('p3')
    .webp({ lossless: true })
    .toBuffer();
  const icc = still.subarray(30 + 8, 30 + 8 + still.readUInt32LE(34));
  const file = await anAnimatedWebp([{ ...FRAMES[1], red: 234 } as Frame]);
  const flagged = bytes(file);
  flagged[20] = 0x32;
  const withProfile = bytes(flagged.subarray(12, 30), riffChunk('ICCP', icc), flagged.subarray(30));
  const one = await prepared(aRiff(withProfile), 'image/webp');
  const other = await prepared(file, 'image/webp');
  expect(one.blurhash).not.toBe(other.blurhash);
});

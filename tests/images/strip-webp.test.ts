import { describe, expect, test } from 'vitest';
import { stripWebp } from '../../src/images/webp.ts';
import {
  aRiff,
  ascii,
  aWebp,
  bytes,
  exifOf,
  ICC_PROFILE,
  METADATA_TRACES,
  type Part,
  riffChunk,
  tracesIn,
  u24le,
} from '../support/pictures.ts';
import { prepared } from './decoding.ts';

const ANIMATED = 0x02;
const EXIF = 0x08;
const XMP = 0x04;
const ICC = 0x20;

/** Returns the pixel chunk of a WebP, 48 by 32 by default. */
async function pixels(options = {}): Promise<Uint8Array> {
  return (await aWebp(options)).subarray(12);
}

function canvas(flags: number, width = 48, height = 32): Uint8Array {
  return riffChunk('VP8X', Uint8Array.of(flags, 0, 0, 0), u24le(width - 1, height - 1));
}

/** Returns an animation frame at the upper left. */
function frame(width: number, height: number, ...chunks: Part[]): Uint8Array {
  const header = bytes(u24le(0, 0, width - 1, height - 1, 100), Uint8Array.of(0));
  return riffChunk('ANMF', header, bytes(...chunks));
}

const ANIM = riffChunk('ANIM', new Uint8Array(6));

describe('a WebP', () => {
  test('removed chunks lose their flags, and the header has the new size', async () => {
    const exif = exifOf({ gps: true }) ?? new Uint8Array();
    const file = aRiff(
      canvas(EXIF | XMP | ICC),
      riffChunk('ICCP', ICC_PROFILE),
      await pixels(),
      riffChunk('EXIF', exif),
      riffChunk('XMP ', METADATA_TRACES.xmp),
      riffChunk('what', METADATA_TRACES.comment),
    );
    expect(stripWebp(file)?.bytes).toEqual(
      aRiff(canvas(ICC), riffChunk('ICCP', ICC_PROFILE), await pixels()),
    );
  });

  test('the EXIF flag is kept with the orientation', async () => {
    const least = riffChunk('EXIF', exifOf({ orientation: 5 }) ?? new Uint8Array());
    const full = riffChunk(
      'EXIF',
      ascii('Exif\0\0'),
      exifOf({ orientation: 5, gps: true }) ?? new Uint8Array(),
    );
    const file = aRiff(canvas(EXIF | XMP), await pixels(), full, riffChunk('XMP ', METADATA_TRACES.xmp));
    expect(stripWebp(file)?.bytes).toEqual(aRiff(canvas(EXIF), await pixels(), least));
  });

  test('transparency is kept', async () => {
    const file = aRiff(canvas(0x10), riffChunk('ALPH', ascii('alpha')), await pixels());
    expect(stripWebp(file)?.bytes).toEqual(file);
  });

  test('pixel chunks after the first picture are removed', async () => {
    const hidden = await pixels({ green: 200 });
    const first = aRiff(await pixels());
    expect(stripWebp(aRiff(await pixels(), hidden, riffChunk('XMP ', METADATA_TRACES.xmp)))?.bytes).toEqual(
      first,
    );
    const extended = aRiff(canvas(0), await pixels());
    const file = aRiff(canvas(0), await pixels(), hidden, frame(48, 32, hidden));
    expect(stripWebp(file)?.bytes).toEqual(extended);
  });

  test('a last chunk without padding is accepted', async () => {
    const file = aRiff(canvas(XMP), await pixels(), riffChunk('XMP ', ascii('odd')));
    const unpadded = file.slice(0, -1);
    new DataView(unpadded.buffer).setUint32(4, unpadded.length - 8, true);
    expect(stripWebp(unpadded)?.bytes).toEqual(aRiff(canvas(0), await pixels()));
  });
});

describe('an animated WebP', () => {
  test('the frames are kept without their metadata', async () => {
    const one = await pixels();
    const two = await pixels({ lossless: true, green: 90 });
    const plain = aRiff(canvas(ANIMATED), ANIM, frame(48, 32, one), frame(48, 32, two));
    expect(stripWebp(plain)?.bytes).toEqual(plain);
    const note = riffChunk('note', METADATA_TRACES.comment);
    const talkative = aRiff(
      canvas(ANIMATED | XMP),
      ANIM,
      frame(48, 32, note, one, note),
      frame(48, 32, two, note),
      riffChunk('XMP ', METADATA_TRACES.xmp),
    );
    expect(tracesIn(talkative)).toEqual(['xmp', 'comment']);
    expect(stripWebp(talkative)?.bytes).toEqual(plain);
  });

  test('the blurhash shows the first frame', async () => {
    const file = aRiff(
      canvas(ANIMATED),
      ANIM,
      frame(48, 32, await pixels()),
      frame(48, 32, await pixels({ green: 255 })),
    );
    const { blurhash } = await prepared(await aWebp(), 'image/webp');
    expect(await prepared(file, 'image/webp')).toMatchObject({
      width: 48,
      height: 32,
      blurhash,
      bytes: file,
    });
  });

  test('an animation without frames or with a frame of the wrong size is refused', async () => {
    expect(stripWebp(aRiff(canvas(ANIMATED), ANIM))).toBeNull();
    expect(stripWebp(aRiff(canvas(ANIMATED), ANIM, await pixels()))).toBeNull();
    expect(stripWebp(aRiff(canvas(ANIMATED, 40, 32), ANIM, frame(48, 32, await pixels())))).toBeNull();
    expect(stripWebp(aRiff(canvas(ANIMATED), ANIM, frame(40, 32, await pixels())))).toBeNull();
    expect(stripWebp(aRiff(canvas(ANIMATED), ANIM, riffChunk('ANMF', ascii('short'))))).toBeNull();
  });
});

describe('a refused WebP', () => {
  test('a truncated WebP is refused', async () => {
    const file = await aWebp({ xmp: true, icc: true });
    for (let length = 0; length < file.length; length += 1) {
      expect(stripWebp(file.subarray(0, length))).toBeNull();
    }
  });

  test('a WebP without pixels or with contradicting dimensions is refused', async () => {
    expect(stripWebp(aRiff())).toBeNull();
    expect(stripWebp(aRiff(canvas(0)))).toBeNull();
    expect(stripWebp(aRiff(riffChunk('VP8X', ascii('short')), await pixels()))).toBeNull();
    expect(stripWebp(aRiff(riffChunk('VP8 ', ascii('these are no pixels'))))).toBeNull();
    expect(stripWebp(aRiff(riffChunk('VP8L', ascii('these are no pixels'))))).toBeNull();
    expect(stripWebp(aRiff(riffChunk('XMP ', METADATA_TRACES.xmp), await pixels()))).toBeNull();
    expect(stripWebp(aRiff(canvas(0, 47, 32), await pixels()))).toBeNull();
  });

  test('a chunk length beyond the file is refused', async () => {
    const file = new Uint8Array(await aWebp());
    for (const [at, length] of [
      [4, file.length],
      [4, 0xffffffff],
      [16, file.length],
      [16, 0xffffffff],
    ] as const) {
      const broken = file.slice();
      new DataView(broken.buffer).setUint32(at, length, true);
      expect(stripWebp(broken)).toBeNull();
    }
  });
});

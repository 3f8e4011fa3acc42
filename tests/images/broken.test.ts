import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ImageType, strip } from '../../src/images/strip.ts';
import { scaled } from '../support/depth.ts';
import { ALL_METADATA, aJpeg, aPng, ascii, aWebp, bytes, pngChunk, riffChunk } from '../support/pictures.ts';
import { cpuSince, decoded, images } from './decoding.ts';

const EVERYTHING = { ...ALL_METADATA, orientation: 6, width: 24, height: 16 };

const PICTURES: [string, ImageType, Uint8Array][] = [
  ['a JPEG', 'image/jpeg', await aJpeg(EVERYTHING)],
  ['a progressive JPEG', 'image/jpeg', await aJpeg({ ...EVERYTHING, progressive: true })],
  ['a PNG', 'image/png', await aPng(EVERYTHING)],
  ['a WebP', 'image/webp', await aWebp(EVERYTHING)],
  ['a lossless WebP', 'image/webp', await aWebp({ ...EVERYTHING, lossless: true })],
];

/** Generates copies of `file` with up to six changed bytes and any end. */
function mutationsOf(file: Uint8Array): fc.Arbitrary<Uint8Array> {
  const byte = fc.oneof(fc.nat(255), fc.constantFrom(0, 1, 0x7f, 0x80, 0xff));
  const change = fc.tuple(fc.nat(file.length - 1), byte);
  const length = fc.oneof(fc.constant(file.length), fc.nat(file.length));
  return fc.tuple(fc.array(change, { maxLength: 6 }), length).map(([changes, end]) => {
    const mutated = new Uint8Array(file);
    for (const [at, value] of changes) mutated[at] = value;
    return mutated.subarray(0, end);
  });
}

describe.each(PICTURES)('a mutation of %s', (_, type, file) => {
  test('strip refuses the file, or a second strip changes nothing', () => {
    fc.assert(
      fc.property(mutationsOf(file), (mutated) => {
        const stripped = strip(mutated, type);
        if (stripped === null) return;
        expect(stripped.bytes.length).toBeLessThanOrEqual(mutated.length + 96);
        expect(strip(stripped.bytes, type)).toEqual(stripped);
      }),
      { numRuns: scaled(8_000) },
    );
  });

  test('prepare refuses the file, or its bytes decode to the pixels that were sent', async () => {
    await fc.assert(
      fc.asyncProperty(mutationsOf(file), async (mutated) => {
        const prepared = await images.prepare(mutated, type);
        if (typeof prepared === 'string') return;
        expect(await decoded(prepared.bytes)).toEqual(await decoded(mutated));
        expect(prepared.blurhash).toHaveLength(28);
      }),
      { numRuns: scaled(1_600) },
    );
  });
});

test.each<ImageType>(['image/jpeg', 'image/png', 'image/webp'])(
  'strip refuses random bytes as %s',
  (type) => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (anything) => {
        expect(strip(anything, type)).toBeNull();
      }),
    );
  },
);

describe('strip of ten megabytes', () => {
  const SIZE = 10 * 1024 * 1024;

  /** Returns `SIZE` bytes: `head`, then copies of `part`. */
  function filled(head: Uint8Array, part: Uint8Array): Uint8Array {
    const file = Buffer.alloc(SIZE, part);
    file.set(head);
    return new Uint8Array(file);
  }

  test.each([
    ['fill bytes', [0xff]],
    ['stuffing', [0xff, 0x00]],
    ['restarts', [0xff, 0xd3]],
    ['empty comments', [0xff, 0xfe, 0x00, 0x02]],
    ['zero lengths', [0xff, 0xfe, 0x00, 0x00]],
    ['scans', [0xff, 0xda, 0x00, 0x02]],
    ['bytes between segments', [0x00]],
  ])('a JPEG of %s takes less than three seconds of CPU', async (_, part) => {
    const jpeg = await aJpeg();
    const before = jpeg.subarray(0, Buffer.from(jpeg).indexOf(Buffer.of(0xff, 0xda)));
    const inScan = jpeg.subarray(0, -2);
    for (const head of [jpeg.subarray(0, 20), before, inScan]) {
      const started = process.cpuUsage();
      strip(filled(head, Uint8Array.from(part)), 'image/jpeg');
      expect(cpuSince(started)).toBeLessThan(3000);
    }
  });

  test.each(['tEXt', 'IDAT', 'eXIf'])(
    'a PNG of empty %s chunks takes less than three seconds of CPU',
    async (type) => {
      const started = process.cpuUsage();
      strip(filled((await aPng()).subarray(0, 33), pngChunk(type)), 'image/png');
      expect(cpuSince(started)).toBeLessThan(3000);
    },
  );

  test.each(['XMP ', 'EXIF', 'ALPH', 'ANMF'])(
    'a WebP of empty %s chunks takes less than three seconds of CPU',
    async (type) => {
      const head = bytes((await aWebp({ icc: true })).subarray(0, 30));
      const file = filled(head, riffChunk(type));
      new DataView(file.buffer).setUint32(4, SIZE - 8, true);
      file.set(ascii('WEBP'), 8);
      const started = process.cpuUsage();
      strip(file, 'image/webp');
      expect(cpuSince(started)).toBeLessThan(3000);
    },
  );
});

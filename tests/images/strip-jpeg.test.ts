import { describe, expect, test } from 'vitest';
import { stripJpeg } from '../../src/images/jpeg.ts';
import {
  ALL_METADATA,
  aJpeg,
  ascii,
  bytes,
  jpegSegment,
  METADATA_TRACES,
  tracesIn,
} from '../support/pictures.ts';
import { decoded, images } from './decoding.ts';

/** Offset of the first segment after JFIF. */
const AFTER_JFIF = 20;

/** Returns `jpeg` with `parts` inserted at an offset. */
function withParts(jpeg: Uint8Array, at: number, ...parts: Uint8Array[]): Uint8Array {
  return bytes(jpeg.subarray(0, at), ...parts, jpeg.subarray(at));
}

/** Returns the offset of a marker. */
function find(jpeg: Uint8Array, code: number, from = 0): number {
  return Buffer.from(jpeg).indexOf(Buffer.of(0xff, code), from);
}

describe('segments of a JPEG', () => {
  test.each([
    ['a JFXX thumbnail', 0xe0, 'JFXX\0\x10'],
    ['a second EXIF', 0xe1, 'Exif\0\0MM'],
    ['an MPF index', 0xe2, 'MPF\0'],
    ['a Photoshop segment', 0xed, 'Photoshop 3.0\x008BIM'],
    ['an unknown segment', 0xef, 'whatever'],
    ['a short Adobe segment', 0xee, 'Adobe'],
    ['a comment', 0xfe, ''],
  ])('%s is removed', async (_, code, prefix) => {
    const plain = await aJpeg();
    const text = code === 0xee ? 'Adobe' : prefix;
    const secret = code === 0xee ? new Uint8Array() : METADATA_TRACES.comment;
    const file = withParts(plain, AFTER_JFIF, jpegSegment(code, ascii(text), secret));
    expect(stripJpeg(file)?.bytes).toEqual(plain);
  });

  test('a JFIF thumbnail is removed and its JFIF segment is kept', async () => {
    const plain = await aJpeg();
    const jfif = bytes(plain.subarray(6, 18), Uint8Array.of(3, 2), METADATA_TRACES.comment.subarray(0, 18));
    const file = bytes(plain.subarray(0, 2), jpegSegment(0xe0, jfif), plain.subarray(AFTER_JFIF));
    expect(stripJpeg(file)?.bytes).toEqual(plain);
  });

  test('the Adobe colour transform is kept without the bytes after it', async () => {
    const adobe = ascii('Adobe\0\x64\0\0\0\0\x01');
    const file = withParts(await aJpeg(), AFTER_JFIF, jpegSegment(0xee, adobe));
    expect(stripJpeg(file)?.bytes).toEqual(file);
    const talkative = withParts(await aJpeg(), AFTER_JFIF, jpegSegment(0xee, adobe, METADATA_TRACES.comment));
    expect(stripJpeg(talkative)?.bytes).toEqual(file);
  });

  test('segments between progressive scans are removed and the scans are kept', async () => {
    const plain = await aJpeg({ progressive: true });
    const second = find(plain, 0xda, find(plain, 0xda) + 2);
    expect(second).toBeGreaterThan(0);
    const file = withParts(
      plain,
      second,
      jpegSegment(0xfe, METADATA_TRACES.comment),
      jpegSegment(0xe1, METADATA_TRACES.xmp),
    );
    expect(stripJpeg(file)?.bytes).toEqual(plain);
  });

  test('bytes between segments are removed', async () => {
    const plain = await aJpeg();
    expect(stripJpeg(withParts(plain, AFTER_JFIF, METADATA_TRACES.comment))?.bytes).toEqual(plain);
  });

  test('a colour profile after the end of the image is removed', async () => {
    const plain = await aJpeg();
    const icc = jpegSegment(0xe2, ascii('ICC_PROFILE\0\x01\x01'), METADATA_TRACES.comment);
    expect(stripJpeg(bytes(plain, icc, plain.subarray(-2)))?.bytes).toEqual(plain);
  });

  test('fill bytes before a marker are kept', async () => {
    const file = withParts(await aJpeg(), AFTER_JFIF, Uint8Array.of(0xff, 0xff, 0xff));
    expect(stripJpeg(file)?.bytes).toEqual(file);
  });

  test('restart markers are kept as pixels', async () => {
    const plain = await aJpeg();
    const end = find(plain, 0xd9);
    const file = withParts(plain, end, Uint8Array.of(0xff, 0xd0, 0x12, 0xff, 0x00, 0xff, 0xd7, 0x34));
    expect(stripJpeg(file)?.bytes).toEqual(file);
  });

  test('the first EXIF segment decides the orientation', async () => {
    const file = await aJpeg({ orientation: 6 });
    const other = (await aJpeg({ orientation: 3 })).subarray(AFTER_JFIF, find(file, 0xdb));
    expect(stripJpeg(withParts(file, find(file, 0xdb), other))).toEqual(stripJpeg(file));
    expect(stripJpeg(withParts(file, AFTER_JFIF, other))?.orientation).toBe(3);
  });

  test('little-endian EXIF is read with its directory at any offset', async () => {
    const tiff = Buffer.alloc(60);
    tiff.write('II*\0', 'latin1');
    tiff.writeUInt32LE(30, 4);
    tiff.writeUInt16LE(1, 30);
    tiff.set([0x12, 0x01, 3, 0, 1, 0, 0, 0, 8, 0, 0, 0], 32);
    const file = withParts(await aJpeg(), AFTER_JFIF, jpegSegment(0xe1, ascii('Exif\0\0'), tiff));
    expect(stripJpeg(file)?.orientation).toBe(8);
  });
});

describe('a truncated JPEG', () => {
  const END = Uint8Array.of(0xff, 0xd9);

  // docs/product.md M6
  test.each([false, true])(
    'a JPEG that lacks its end marker gets one, and one that lacks pixels is refused (progressive: %s)',
    async (progressive) => {
      const plain = await aJpeg({ width: 80, height: 81, progressive });
      const coded = plain.subarray(0, -2);
      const padded = bytes(coded, new Uint8Array(9));
      for (const file of [coded, plain.subarray(0, -1), ...(progressive ? [] : [padded])]) {
        const stripped = stripJpeg(file)?.bytes ?? new Uint8Array();
        expect(stripped.subarray(-2)).toEqual(END);
        expect(await decoded(stripped)).toEqual(await decoded(plain));
        expect(await images.prepare(file, 'image/jpeg')).toMatchObject({ bytes: stripped });
      }
      const first = find(plain, 0xda) + 14;
      for (let length = first; length < coded.length; length += 1) {
        const cut = plain.subarray(0, length);
        expect(await images.prepare(cut, 'image/jpeg'), `of ${length} bytes`).toBe('not_decodable');
        expect(await images.prepare(bytes(cut, END), 'image/jpeg')).toBe('not_decodable');
      }
    },
  );

  test('a JPEG truncated before its pixels is refused', async () => {
    const file = await aJpeg(ALL_METADATA);
    for (let length = 0; length < find(file, 0xda) + 10; length += 1) {
      expect(stripJpeg(file.subarray(0, length))).toBeNull();
    }
  });

  test('a truncated comment is removed', async () => {
    const plain = await aJpeg();
    const open = jpegSegment(0xfe, METADATA_TRACES.comment, METADATA_TRACES.gps);
    const cut = bytes(plain.subarray(0, -2), open.subarray(0, -3));
    expect(tracesIn(cut)).toEqual(['comment']);
    expect(stripJpeg(cut)?.bytes).toEqual(plain);
  });
});

describe('a refused JPEG', () => {
  test('a JPEG without a frame segment or with two is refused', async () => {
    const plain = await aJpeg();
    const [frame, next] = [find(plain, 0xc0), find(plain, 0xc4)];
    expect(stripJpeg(bytes(plain.subarray(0, frame), plain.subarray(next)))).toBeNull();
    expect(stripJpeg(withParts(plain, next, plain.subarray(frame, next)))).toBeNull();
  });

  test('an impossible segment length is refused', async () => {
    const plain = await aJpeg();
    for (const length of [0, 1, 0xffff]) {
      const segment = Uint8Array.of(0xff, 0xe1, length >> 8, length & 0xff);
      expect(stripJpeg(withParts(plain, AFTER_JFIF, segment))).toBeNull();
    }
  });

  test.each([0x02, 0xde, 0xf0])('a marker %i, which decoders refuse, is refused', async (code) => {
    expect(stripJpeg(withParts(await aJpeg(), AFTER_JFIF, jpegSegment(code)))).toBeNull();
  });

  test.each([
    [0xe1, 0],
    [0xd0, 0],
    [0xd9, 0],
    [0xd8, 0],
    [0xe1, 40],
  ])('a JPEG with a marker %i amid its pixels is refused', async (code, length) => {
    const plain = await aJpeg({ width: 400, height: 300 });
    const stray = Uint8Array.of(0xff, code, length >> 8, length & 0xff);
    const file = withParts(plain, find(plain, 0xda) + 500, stray);
    expect(await images.prepare(file, 'image/jpeg')).toBe('not_decodable');
  });

  test('a JPEG of more than 64 scans is refused because it takes minutes to decode', async () => {
    const plain = await aJpeg();
    const [scan, end] = [find(plain, 0xda), plain.length - 2];
    const withScans = (count: number) =>
      withParts(plain, end, ...Array.from({ length: count - 1 }, () => plain.subarray(scan, end)));
    expect(stripJpeg(withScans(64))).not.toBeNull();
    expect(stripJpeg(withScans(65))).toBeNull();
  });
});

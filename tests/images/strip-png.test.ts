import { describe, expect, test } from 'vitest';
import { stripPng } from '../../src/images/png.ts';
import { aPng, ascii, bytes, exifOf, METADATA_TRACES, type Part, pngChunk } from '../support/pictures.ts';

/** Offset of the first chunk after IHDR. */
const AFTER_HEADER = 33;

/** Creates a PNG with `chunks` before its pixels. */
async function withChunks(...chunks: Part[]): Promise<Uint8Array> {
  const plain = await aPng();
  return bytes(plain.subarray(0, AFTER_HEADER), ...chunks, plain.subarray(AFTER_HEADER));
}

describe('chunks of a PNG', () => {
  test.each(['PLTE', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP', 'cICP', 'sBIT', 'bKGD', 'pHYs', 'mDCV', 'cLLI'])(
    '%s is kept',
    async (type) => {
      const file = await withChunks(pngChunk(type, ascii('abc')));
      expect(stripPng(file)?.bytes).toEqual(file);
    },
  );

  test.each(['tEXt', 'zTXt', 'iTXt', 'tIME', 'eXIf', 'sPLT', 'caBX', 'prVt', 'fcTL', 'fdAT'])(
    '%s is removed',
    async (type) => {
      const file = await withChunks(pngChunk(type, METADATA_TRACES.comment));
      expect(stripPng(file)?.bytes).toEqual(await aPng());
    },
  );

  test('the kept EXIF has a valid checksum and its old position', async () => {
    const exif = exifOf({ orientation: 6, gps: true });
    const file = await withChunks(pngChunk('gAMA', ascii('gama')), exif && pngChunk('eXIf', exif));
    const least = exifOf({ orientation: 6 });
    expect(stripPng(file)?.bytes).toEqual(
      await withChunks(pngChunk('gAMA', ascii('gama')), least && pngChunk('eXIf', least)),
    );
  });

  test('EXIF is read after the pixels and after the prefix of JPEG files', async () => {
    const plain = await aPng();
    const end = plain.length - 12;
    const exif = pngChunk('eXIf', ascii('Exif\0\0'), exifOf({ orientation: 8 }) ?? new Uint8Array());
    expect(stripPng(bytes(plain.subarray(0, end), exif, plain.subarray(end)))?.orientation).toBe(8);
  });
});

describe('a refused PNG', () => {
  test('a truncated PNG is refused, but for one that lacks its end alone', async () => {
    const plain = await aPng();
    const end = plain.length - 12;
    for (let length = 0; length < end; length += 1) expect(stripPng(plain.subarray(0, length))).toBeNull();
    for (let length = end; length < plain.length; length += 1)
      expect(stripPng(plain.subarray(0, length))?.bytes).toEqual(plain);
  });

  test.each(['ABCD', 'CgBI', 'te t'])(
    'a PNG with a chunk %s, which decoders refuse, is refused',
    async (type) => {
      expect(stripPng(await withChunks(pngChunk(type)))).toBeNull();
    },
  );

  test('a PNG with pixels behind another chunk is refused', async () => {
    const plain = await aPng();
    const end = plain.length - 12;
    const pixels = plain.subarray(AFTER_HEADER, end);
    expect(stripPng(bytes(plain.subarray(0, end), pngChunk('tEXt'), pixels, plain.subarray(end)))).toBeNull();
  });

  test('a PNG without pixels is refused', async () => {
    const plain = await aPng();
    expect(stripPng(bytes(plain.subarray(0, AFTER_HEADER), plain.subarray(-12)))).toBeNull();
  });

  test('a PNG with no, a late, a second or a longer header is refused', async () => {
    const plain = await aPng();
    const [signature, header, rest] = [plain.subarray(0, 8), plain.subarray(8, 33), plain.subarray(33)];
    expect(stripPng(bytes(signature, rest))).toBeNull();
    expect(stripPng(bytes(signature, header, header, rest))).toBeNull();
    expect(stripPng(bytes(signature, pngChunk('gAMA', ascii('gama')), header, rest))).toBeNull();
    const longer = pngChunk('IHDR', header.subarray(8, 21), Uint8Array.of(0));
    expect(stripPng(bytes(signature, longer, rest))).toBeNull();
  });

  test('a chunk length beyond the file is refused', async () => {
    for (const length of [0x7fffffff, 0xffffffff, 0xfffffff4, 10_000]) {
      const file = new Uint8Array(await withChunks(pngChunk('tEXt', METADATA_TRACES.comment)));
      new DataView(file.buffer).setUint32(AFTER_HEADER, length);
      expect(stripPng(file)).toBeNull();
    }
    const plain = new Uint8Array(await aPng());
    plain[plain.length - 9] = 1;
    expect(stripPng(plain)).toBeNull();
  });
});

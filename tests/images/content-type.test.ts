import { expect, test } from 'vitest';
import { detectContentType } from '../../src/images/content-type.ts';
import { aJpeg, aPdf, aPng, ascii, aWebp, bytes } from '../support/pictures.ts';

test('detectContentType recognises a file by its first bytes', async () => {
  expect(detectContentType(await aJpeg())).toBe('image/jpeg');
  expect(detectContentType(await aPng())).toBe('image/png');
  expect(detectContentType(await aWebp())).toBe('image/webp');
  expect(detectContentType(aPdf())).toBe('application/pdf');
});

test('a PDF may have up to 1,024 bytes before its header', () => {
  expect(detectContentType(bytes(new Uint8Array(1024).fill(32), aPdf()))).toBe('application/pdf');
  expect(detectContentType(bytes(new Uint8Array(1025).fill(32), aPdf()))).toBeNull();
});

test('a picture with the header of a PDF in it is a picture', async () => {
  const png = await aPng();
  expect(detectContentType(bytes(png.subarray(0, 33), ascii('%PDF-1.4'), png.subarray(33)))).toBe(
    'image/png',
  );
});

test.each([
  ['image/gif', 'GIF89a\x01\0\x01\0'],
  ['image/heif', '\0\0\0\x18ftypheic'],
  ['image/tiff', 'II*\0\x08\0\0\0'],
])('detectContentType recognises %s, which no upload may have', (type, text) => {
  expect(detectContentType(ascii(text))).toBe(type);
});

test.each([
  ['an empty file', ''],
  ['a JPEG of two bytes', '\xff\xd8'],
  ['a text', 'hello, this is no picture'],
  ['an HTML page', '<!doctype html><script>alert(1)</script>'],
  ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['a WAVE file', 'RIFF\x24\0\0\0WAVEfmt '],
  ['a PNG with converted line ends', '\x89PNG\n\x1a\n'],
])('detectContentType answers null for %s', (_, text) => {
  expect(detectContentType(ascii(text))).toBeNull();
});

test('detectContentType reads no byte outside a subarray of a larger buffer', () => {
  const around = ascii('xx%PDF-1.4');
  expect(detectContentType(around.subarray(2))).toBe('application/pdf');
  expect(detectContentType(around.subarray(2, 6))).toBeNull();
});

import { expect, test } from 'vitest';
import { contentTypeOf } from '../../src/images/content-type.ts';
import { aJpeg, aPdf, aPng, ascii, aWebp } from '../support/pictures.ts';

test('contentTypeOf recognises a file by its first bytes', async () => {
  expect(contentTypeOf(await aJpeg())).toBe('image/jpeg');
  expect(contentTypeOf(await aPng())).toBe('image/png');
  expect(contentTypeOf(await aWebp())).toBe('image/webp');
  expect(contentTypeOf(aPdf())).toBe('application/pdf');
});

test.each([
  ['an empty file', ''],
  ['a JPEG of two bytes', '\xff\xd8'],
  ['a text', 'hello, this is no picture'],
  ['an HTML page', '<!doctype html><script>alert(1)</script>'],
  ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['a GIF', 'GIF89a\x01\0\x01\0'],
  ['a WAVE file', 'RIFF\x24\0\0\0WAVEfmt '],
  ['a PNG with converted line ends', '\x89PNG\n\x1a\n'],
  ['a PDF behind a space', ' %PDF-1.4'],
])('contentTypeOf answers null for %s', (_, text) => {
  expect(contentTypeOf(ascii(text))).toBeNull();
});

test('contentTypeOf reads no byte outside a subarray of a larger buffer', () => {
  const around = ascii('xx%PDF-1.4');
  expect(contentTypeOf(around.subarray(2))).toBe('application/pdf');
  expect(contentTypeOf(around.subarray(2, 6))).toBeNull();
});

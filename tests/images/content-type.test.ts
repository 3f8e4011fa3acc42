import { expect, test } from 'vitest';
import { contentTypeOf } from '../../src/images/content-type.ts';
import { aJpeg, aPdf, aPng, ascii, aWebp } from '../support/pictures.ts';

test('a file is known by its first bytes', async () => {
  expect(contentTypeOf(await aJpeg())).toBe('image/jpeg');
  expect(contentTypeOf(await aPng())).toBe('image/png');
  expect(contentTypeOf(await aWebp())).toBe('image/webp');
  expect(contentTypeOf(aPdf())).toBe('application/pdf');
});

test.each([
  ['nothing', ''],
  ['too little', '\xff\xd8'],
  ['text', 'hello, this is no picture'],
  ['a page', '<!doctype html><script>alert(1)</script>'],
  ['a drawing', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['a GIF', 'GIF89a\x01\0\x01\0'],
  ['another RIFF', 'RIFF\x24\0\0\0WAVEfmt '],
  ['a PNG that went through a text editor', '\x89PNG\n\x1a\n'],
  ['a PDF that begins later', ' %PDF-1.4'],
])('%s is none of them', (_, text) => {
  expect(contentTypeOf(ascii(text))).toBeNull();
});

test('a file is known where it lies in a larger buffer', () => {
  const around = ascii('xx%PDF-1.4');
  expect(contentTypeOf(around.subarray(2))).toBe('application/pdf');
  expect(contentTypeOf(around.subarray(2, 6))).toBeNull();
});

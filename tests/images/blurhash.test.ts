import { decode, encode, isBlurhashValid } from 'blurhash';
import { describe, expect, test } from 'vitest';
import { blurhashOf } from '../../src/images/blurhash.ts';
import { pixelsOf } from '../builders/pictures.ts';

/** A picture that gets darker to the right and to the bottom: its strongest terms are positive. */
function darkening(width: number, height: number) {
  const { data } = pixelsOf({ width, height });
  return { data: data.map((value, at) => (at % 4 === 3 ? value : 255 - value)), width, height };
}

describe('a blurhash', () => {
  test.each([
    [32, 20, 4, 3],
    [20, 32, 3, 4],
    [32, 1, 4, 3],
    [1, 1, 4, 3],
    [32, 32, 4, 3],
  ])('of %i by %i is what everybody makes of it', (width, height, across, down) => {
    const pixels = darkening(width, height);
    expect(blurhashOf(pixels, across, down)).toBe(encode(pixels.data, width, height, across, down));
  });

  test('of a known picture: grey', () => {
    const data = new Uint8ClampedArray(16 * 16 * 4).fill(128);
    expect(blurhashOf({ data, width: 16, height: 16 }, 4, 3)).toBe('L3Eyb[~qfQ~q~qoffQoffQfQfQfQ');
  });

  test('shows what gets brighter as well as what gets darker', () => {
    const brightening = pixelsOf({ width: 32, height: 32 });
    const hash = blurhashOf(brightening, 4, 3);
    expect(isBlurhashValid(hash).result).toBe(true);
    const shown = decode(hash, 32, 32);
    const lost = shown.map((value, at) => Math.abs(value - (brightening.data[at] ?? 0)));
    expect(lost.reduce((sum, value) => sum + value, 0) / lost.length).toBeLessThan(16);
  });
});

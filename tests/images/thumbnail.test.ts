import { describe, expect, test } from 'vitest';
import { thumbnailOf } from '../../src/images/thumbnail.ts';
import { pixelsOf } from '../support/pictures.ts';

describe('a thumbnail', () => {
  test.each([
    [100, 50, 32, 16],
    [50, 100, 16, 32],
    [1000, 1, 32, 1],
    [20, 10, 20, 10],
  ])('a picture of %i by %i has a thumbnail of %i by %i', (width, height, across, down) => {
    expect(thumbnailOf(pixelsOf({ width, height }), 1)).toMatchObject({ width: across, height: down });
    expect(thumbnailOf(pixelsOf({ width, height }), 6)).toMatchObject({ width: down, height: across });
  });

  test('a small picture is its own thumbnail', () => {
    const pixels = pixelsOf({ width: 20, height: 10 });
    expect(thumbnailOf(pixels, 1)).toEqual(pixels);
  });

  test('transparent pixels become white', () => {
    const clear = { data: new Uint8ClampedArray(4 * 4 * 4), width: 4, height: 4 };
    expect([...thumbnailOf(clear, 1).data].every((value) => value === 255)).toBe(true);
  });

  test('a pixel of the thumbnail has the mean of its source pixels', () => {
    const stripes = Uint8ClampedArray.from({ length: 64 * 64 * 4 }, (_, at) => {
      if (at % 4 === 3) return 255;
      return (at / 4) % 2 < 1 ? 0 : 200;
    });
    const [red] = thumbnailOf({ data: stripes, width: 64, height: 64 }, 1).data;
    expect(red).toBe(100);
  });
});

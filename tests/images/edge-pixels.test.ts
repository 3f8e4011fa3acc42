import { describe, expect, test } from 'vitest';
import { onWhite, shrink, turn } from '../../src/images/edge/pixels.ts';
import { pixelsOf } from '../support/pictures.ts';

describe('shrink', () => {
  test.each([
    [100, 50, 32, 16],
    [50, 100, 16, 32],
    [1000, 1, 32, 1],
    [20, 10, 20, 10],
  ])('a picture of %i by %i shrinks to %i by %i', (width, height, across, down) => {
    expect(shrink(pixelsOf({ width, height }), 32)).toMatchObject({ width: across, height: down });
  });

  test('a small picture keeps its pixels', () => {
    const pixels = pixelsOf({ width: 20, height: 10 });
    expect(shrink(pixels, 32)).toEqual(pixels);
  });

  test('a pixel has the mean of the pixels that it covers', () => {
    const stripes = Uint8ClampedArray.from({ length: 64 * 64 * 4 }, (_, at) => {
      if (at % 4 === 3) return 255;
      return (at / 4) % 2 < 1 ? 0 : 200;
    });
    const { data } = shrink({ data: stripes, width: 64, height: 64 }, 32);
    expect([...data.subarray(0, 4)]).toEqual([100, 100, 100, 255]);
  });

  test('a transparent pixel adds to the transparency and not to the colour', () => {
    const data = Uint8ClampedArray.of(0, 255, 0, 0, 80, 40, 20, 255);
    expect(shrink({ data, width: 2, height: 1 }, 1)).toEqual({
      data: Uint8ClampedArray.of(80, 40, 20, 128),
      width: 1,
      height: 1,
    });
  });
});

test('turn returns a picture by 90 degrees for orientation 6', () => {
  const data = Uint8ClampedArray.of(1, 1, 1, 255, 2, 2, 2, 255);
  expect(turn({ data, width: 2, height: 1 }, 6)).toEqual({ data, width: 1, height: 2 });
  expect(turn({ data, width: 2, height: 1 }, 8).data[0]).toBe(2);
});

test('onWhite makes transparent pixels white and half transparent ones lighter', () => {
  const data = Uint8ClampedArray.of(0, 0, 0, 0, 0, 0, 0, 128, 9, 8, 7, 255);
  const opaque = onWhite({ data, width: 3, height: 1 });
  expect([...opaque.data]).toEqual([255, 255, 255, 255, 127, 127, 127, 255, 9, 8, 7, 255]);
});

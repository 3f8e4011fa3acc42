import type { Pixels } from './decoder.ts';
import { type Orientation, swapsSides } from './orientation.ts';

const LONGEST_SIDE = 32;
/** How many pixels a side of what becomes one is looked at: enough for its colour, however large the picture. */
const LOOKS = 8;

/** A small picture of `pixels`, turned as it is displayed, on white, of at most 32 pixels a side. */
export function thumbnailOf(pixels: Pixels, orientation: Orientation): Pixels {
  const scale = Math.min(1, LONGEST_SIDE / Math.max(pixels.width, pixels.height));
  const storedWidth = Math.max(1, Math.round(pixels.width * scale));
  const storedHeight = Math.max(1, Math.round(pixels.height * scale));
  const [width, height] = swapsSides(orientation) ? [storedHeight, storedWidth] : [storedWidth, storedHeight];
  const data = new Uint8ClampedArray(width * height * 4);
  for (let at = 0; at < width * height; at += 1) {
    const [x, y] = turned(at % width, Math.floor(at / width), { width, height }, orientation);
    data.set(
      colourOf(pixels, cut(pixels.width, storedWidth, x), cut(pixels.height, storedHeight, y)),
      at * 4,
    );
  }
  return { data, width, height };
}

/** Where a displayed pixel is stored. */
function turned(
  x: number,
  y: number,
  { width, height }: { width: number; height: number },
  orientation: Orientation,
): [number, number] {
  const [right, bottom] = [width - 1 - x, height - 1 - y];
  const places: Record<Orientation, [number, number]> = {
    1: [x, y],
    2: [right, y],
    3: [right, bottom],
    4: [x, bottom],
    5: [y, x],
    6: [y, right],
    7: [bottom, right],
    8: [bottom, x],
  };
  return places[orientation];
}

/** The places to look at in one of `parts` equal parts of a side. */
function cut(side: number, parts: number, part: number): number[] {
  const [from, to] = [(side * part) / parts, (side * (part + 1)) / parts];
  const count = Math.min(LOOKS, Math.max(1, Math.floor(to - from)));
  return Array.from({ length: count }, (_, index) =>
    Math.floor(from + ((index + 0.5) * (to - from)) / count),
  );
}

/** The mean colour of the pixels where `columns` and `rows` meet, on white. */
function colourOf(
  { data, width }: Pixels,
  columns: number[],
  rows: number[],
): [number, number, number, number] {
  let [red, green, blue] = [0, 0, 0];
  for (const row of rows) {
    for (const column of columns) {
      const at = (row * width + column) * 4;
      const alpha = (data[at + 3] ?? 0) / 255;
      const onWhite = (value = 0) => value * alpha + 255 * (1 - alpha);
      red += onWhite(data[at]);
      green += onWhite(data[at + 1]);
      blue += onWhite(data[at + 2]);
    }
  }
  const count = columns.length * rows.length;
  return [red / count, green / count, blue / count, 255];
}

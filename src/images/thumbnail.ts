import type { Pixels } from './decoder.ts';
import { type Orientation, swapsSides } from './orientation.ts';

const LONGEST_SIDE = 32;
/** The limit of samples per side for one pixel: enough for its colour in a picture of any size. */
const MAX_SAMPLES = 8;

/** Returns a thumbnail as displayed, on white, with at most 32 pixels a side. */
export function thumbnailOf(pixels: Pixels, orientation: Orientation): Pixels {
  const scale = Math.min(1, LONGEST_SIDE / Math.max(pixels.width, pixels.height));
  const storedWidth = Math.max(1, Math.round(pixels.width * scale));
  const storedHeight = Math.max(1, Math.round(pixels.height * scale));
  const [width, height] = swapsSides(orientation) ? [storedHeight, storedWidth] : [storedWidth, storedHeight];
  const data = new Uint8ClampedArray(width * height * 4);
  for (let at = 0; at < width * height; at += 1) {
    const [x, y] = storedPosition(at % width, Math.floor(at / width), { width, height }, orientation);
    data.set(
      colourOf(
        pixels,
        samplePositions(pixels.width, storedWidth, x),
        samplePositions(pixels.height, storedHeight, y),
      ),
      at * 4,
    );
  }
  return { data, width, height };
}

/** Returns the stored position of a displayed pixel. */
function storedPosition(
  x: number,
  y: number,
  { width, height }: { width: number; height: number },
  orientation: Orientation,
): [number, number] {
  const [right, bottom] = [width - 1 - x, height - 1 - y];
  const positions: Record<Orientation, [number, number]> = {
    1: [x, y],
    2: [right, y],
    3: [right, bottom],
    4: [x, bottom],
    5: [y, x],
    6: [y, right],
    7: [bottom, right],
    8: [bottom, x],
  };
  return positions[orientation];
}

/** Returns the positions to sample in one of `parts` equal parts of a side. */
function samplePositions(side: number, parts: number, part: number): number[] {
  const [from, to] = [(side * part) / parts, (side * (part + 1)) / parts];
  const count = Math.min(MAX_SAMPLES, Math.max(1, Math.floor(to - from)));
  return Array.from({ length: count }, (_, index) =>
    Math.floor(from + ((index + 0.5) * (to - from)) / count),
  );
}

/** Returns the mean colour, on white, of the pixels at these columns and rows. */
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

import { type Orientation, swapsSides } from '../orientation.ts';
import type { Size } from '../rewriting.ts';
import type { Pixels } from './decoder.ts';

/** Returns pixels with at most `longestSide` a side, never more than before. Each is the mean of the pixels that it covers. */
export function shrink({ data, width, height }: Pixels, longestSide: number): Pixels {
  const scale = Math.min(1, longestSide / Math.max(width, height));
  const columns = splitSide(width, scale);
  const rows = splitSide(height, scale);
  const [across, down] = [columns.length - 1, rows.length - 1];
  const shrunk = new Uint8ClampedArray(across * down * 4);
  for (let y = 0; y < down; y += 1) {
    for (let x = 0; x < across; x += 1) {
      const block = {
        left: columns[x] ?? 0,
        right: columns[x + 1] ?? 0,
        top: rows[y] ?? 0,
        bottom: rows[y + 1] ?? 0,
      };
      setMean(shrunk, (y * across + x) * 4, data, width, block);
    }
  }
  return { data: shrunk, width: across, height: down };
}

/** Returns the edges of the equal parts that a side is divided into. */
function splitSide(side: number, scale: number): number[] {
  const parts = Math.max(1, Math.round(side * scale));
  return Array.from({ length: parts + 1 }, (_, part) => Math.floor((side * part) / parts));
}

interface Block {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Sets a pixel to the mean of a block, in which transparent pixels have no colour. */
function setMean(
  target: Uint8ClampedArray,
  at: number,
  data: Pixels['data'],
  width: number,
  block: Block,
): void {
  let [red, green, blue, alpha] = [0, 0, 0, 0];
  for (let y = block.top; y < block.bottom; y += 1) {
    const end = (y * width + block.right) * 4;
    for (let from = (y * width + block.left) * 4; from < end; from += 4) {
      const weight = data[from + 3] ?? 0;
      red += (data[from] ?? 0) * weight;
      green += (data[from + 1] ?? 0) * weight;
      blue += (data[from + 2] ?? 0) * weight;
      alpha += weight;
    }
  }
  if (alpha === 0) return;
  target[at] = red / alpha;
  target[at + 1] = green / alpha;
  target[at + 2] = blue / alpha;
  target[at + 3] = alpha / ((block.right - block.left) * (block.bottom - block.top));
}

/** Returns pixels as displayed. */
export function turn(pixels: Pixels, orientation: Orientation): Pixels {
  const { data, width: storedWidth } = pixels;
  const [width, height] = swapsSides(orientation)
    ? [pixels.height, storedWidth]
    : [storedWidth, pixels.height];
  const turned = new Uint8ClampedArray(width * height * 4);
  for (let at = 0; at < width * height; at += 1) {
    const [x, y] = storedPosition(at % width, Math.floor(at / width), { width, height }, orientation);
    const from = (y * storedWidth + x) * 4;
    turned.set(data.subarray(from, from + 4), at * 4);
  }
  return { data: turned, width, height };
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

/** Returns pixels on white, without transparency. */
export function onWhite({ data, width, height }: Pixels): Pixels & { readonly data: Uint8ClampedArray } {
  const opaque = Uint8ClampedArray.from(data, (value, index) => {
    const alpha = (data[index | 3] ?? 0) / 255;
    return index % 4 === 3 ? 255 : value * alpha + 255 * (1 - alpha);
  });
  return { data: opaque, width, height };
}

/** Returns pixels at a place on a transparent canvas. */
export function onCanvas(pixels: Pixels, { left, top }: { left: number; top: number }, canvas: Size): Pixels {
  const { data, width, height } = pixels;
  const placed = new Uint8ClampedArray(canvas.width * canvas.height * 4);
  for (let row = 0; row < height; row += 1) {
    const from = row * width * 4;
    placed.set(data.subarray(from, from + width * 4), ((top + row) * canvas.width + left) * 4);
  }
  return { data: placed, width: canvas.width, height: canvas.height };
}

import sharp, { type Sharp } from 'sharp';

/** Returns a photo with details everywhere, to be encoded. */
export function detailsOf({ width, height }: { width: number; height: number }): Sharp {
  const data = new Uint8Array(width * height * 3);
  for (let at = 0; at < data.length; at += 3) {
    const [x, y] = [(at / 3) % width, Math.floor(at / 3 / width)];
    data[at] = 128 + 100 * Math.sin(x / 9);
    data[at + 1] = 128 + 100 * Math.sin(y / 7);
    data[at + 2] = (x * y) / 16;
  }
  return sharp(data, { raw: { width, height, channels: 3 }, limitInputPixels: false });
}

import type { Pixels } from './decoder.ts';

type Colour = readonly [number, number, number];

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~';

/**
 * The BlurHash of a small picture: the first terms of its cosine series, `across` by `down` of them. The package
 * `blurhash` takes the strongest term for weak where it is negative, and blurs away what gets brighter to the right or to
 * the bottom.
 */
export function blurhashOf(pixels: Pixels, across: number, down: number): string {
  const linear = linearPixels(pixels);
  const [mean = [0, 0, 0], ...terms] = Array.from({ length: across * down }, (_, index) =>
    termOf(linear, pixels, index % across, Math.floor(index / across)),
  );
  const strongest = Math.max(...terms.flat().map(Math.abs));
  const scale = clamp(Math.floor(strongest * 166 - 0.5), 0, 82);
  return [
    digits(across - 1 + (down - 1) * 9, 1),
    digits(scale, 1),
    digits(codeOfMean(mean), 4),
    ...terms.map((term) => digits(codeOfTerm(term, (scale + 1) / 166), 2)),
  ].join('');
}

function termOf(linear: Float64Array, { width, height }: Pixels, i: number, j: number): Colour {
  let [red, green, blue] = [0, 0, 0];
  for (let y = 0; y < height; y += 1) {
    const ofRow = Math.cos((Math.PI * j * y) / height);
    for (let x = 0; x < width; x += 1) {
      const basis = ofRow * Math.cos((Math.PI * i * x) / width);
      const at = (y * width + x) * 3;
      red += basis * (linear[at] ?? 0);
      green += basis * (linear[at + 1] ?? 0);
      blue += basis * (linear[at + 2] ?? 0);
    }
  }
  const share = (i === 0 && j === 0 ? 1 : 2) / (width * height);
  return [red * share, green * share, blue * share];
}

function codeOfMean([red, green, blue]: Colour): number {
  return (toSrgb(red) << 16) | (toSrgb(green) << 8) | toSrgb(blue);
}

function codeOfTerm(term: Colour, strongest: number): number {
  const [red, green, blue] = term.map((value) => {
    const share = value / strongest;
    return clamp(Math.floor(Math.sign(share) * Math.sqrt(Math.abs(share)) * 9 + 9.5), 0, 18);
  });
  return ((red ?? 0) * 19 + (green ?? 0)) * 19 + (blue ?? 0);
}

/** The colours without alpha, in amounts of light. */
function linearPixels({ data, width, height }: Pixels): Float64Array {
  const linear = new Float64Array(width * height * 3);
  for (let at = 0; at < linear.length; at += 1) {
    linear[at] = toLinear(data[Math.floor(at / 3) * 4 + (at % 3)] ?? 0);
  }
  return linear;
}

function toLinear(value: number): number {
  const share = value / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

function toSrgb(light: number): number {
  const value = clamp(light, 0, 1);
  const share = value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055;
  return Math.trunc(share * 255 + 0.5);
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}

function digits(value: number, count: number): string {
  return Array.from({ length: count }, (_, index) =>
    DIGITS.charAt(Math.floor(value / 83 ** (count - 1 - index)) % 83),
  ).join('');
}

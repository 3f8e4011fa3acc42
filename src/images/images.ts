import { encode } from 'blurhash';
import { type Codecs, compiled } from './codecs.ts';
import type { MakeDecoder, Pixels } from './decoder.ts';
import { makeJpegDecoder, makeWebpDecoder } from './emscripten-decoders.ts';
import { type Orientation, swapsSides } from './orientation.ts';
import { pixelsOfPng } from './png.ts';
import { makePngDecoder } from './png-decoder.ts';
import type { Stripped } from './rewriting.ts';
import { type ImageType, isImageType, strip } from './strip.ts';
import { thumbnailOf } from './thumbnail.ts';
import { stillOfWebp } from './webp.ts';

/** A picture as it is stored and shown. */
export interface PreparedImage {
  /** The file without metadata. */
  readonly bytes: Uint8Array;
  /** As displayed. */
  readonly width: number;
  /** As displayed. */
  readonly height: number;
  /** What to show while it loads; null where the picture costs too much to decode. */
  readonly blurhash: string | null;
}

/** Prepares pictures to be stored. */
export interface Images {
  /** Null where the bytes are no image of that content type that can be shown. Rejects where it could not be found out. */
  prepare(bytes: Uint8Array, contentType: string): Promise<PreparedImage | null>;
}

const MAX_PIXELS = 100_000_000;

/** How many pixels a decoder may go over, those of each scan counted: a few kilobytes can hold 64 scans of a large picture. */
const MAX_WORK = 250_000_000;

/** How many pixels are decoded where there is a gigabyte to do it in: those of most cameras. */
export const MANY_PIXELS = 24_000_000;

/** How many pixels are decoded in an edge function, which has a quarter of that. */
export const FEW_PIXELS = 8_000_000;

/**
 * Prepares pictures in place: decoding one takes as long as a second in which nothing else happens.
 * @param maxDecodedPixels those of the largest picture that gets a blurhash
 */
export function createImages(codecs: Codecs, maxDecodedPixels: number): Images {
  const decode = createDecode(codecs);
  return {
    prepare: async (bytes, contentType) => {
      const stripped = isImageType(contentType) ? strip(bytes, contentType) : null;
      if (stripped === null || !isImageType(contentType)) return null;
      const pixelCount = stripped.width * stripped.height;
      if (pixelCount === 0 || pixelCount > MAX_PIXELS) return null;
      const prepared = { bytes: stripped.bytes, ...displayedSize(stripped), blurhash: null };
      const work = pixelCount * (stripped.scans ?? 1);
      if (pixelCount > maxDecodedPixels || work > MAX_WORK || stripped.hasInks) return prepared;
      const pixels = await decode(stripped.bytes, contentType);
      return pixels && { ...prepared, blurhash: blurhashOf(pixels, stripped.orientation) };
    },
  };
}

/** Makes what decodes a file; null where a decoder cannot read it. */
function createDecode(codecs: Codecs): (file: FileBytes, type: ImageType) => Promise<Pixels | null> {
  const kinds: Record<ImageType, Kind> = {
    'image/jpeg': { module: compiled(codecs.jpeg), make: makeJpegDecoder, readable: (file) => file },
    'image/png': { module: compiled(codecs.png), make: makePngDecoder, readable: pixelsOfPng },
    'image/webp': { module: compiled(codecs.webp), make: makeWebpDecoder, readable: stillOfWebp },
  };
  return async (file, type) => {
    const { module, make, readable } = kinds[type];
    const decoder = await make(await module());
    try {
      return decoder.decode(readable(file));
    } catch {
      return null;
    }
  };
}

type FileBytes = Uint8Array<ArrayBuffer>;

interface Kind {
  readonly module: () => Promise<WebAssembly.Module>;
  readonly make: MakeDecoder;
  /** What the decoder can read of a file. */
  readonly readable: (file: FileBytes) => FileBytes;
}

function displayedSize({ width, height, orientation }: Stripped): { width: number; height: number } {
  return swapsSides(orientation) ? { width: height, height: width } : { width, height };
}

function blurhashOf(pixels: Pixels, orientation: Orientation): string {
  const { data, width, height } = thumbnailOf(pixels, orientation);
  const [across, down] = width >= height ? [4, 3] : [3, 4];
  return encode(new Uint8ClampedArray(data), width, height, across, down);
}

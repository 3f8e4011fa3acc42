import { encode } from 'blurhash';
import { type Codecs, compiled } from './codecs.ts';
import type { MakeDecoder, Pixels } from './decoder.ts';
import { makeJpegDecoder, makeWebpDecoder } from './emscripten-decoders.ts';
import { swapsSides } from './orientation.ts';
import { pixelsOfPng } from './png.ts';
import { makePngDecoder } from './png-decoder.ts';
import type { Stripped } from './rewriting.ts';
import { type ImageType, isImageType, strip } from './strip.ts';
import { onWhite, shrink, turn } from './thumbnail.ts';
import { stillOfWebp } from './webp.ts';
import { encodeWebp } from './webp-encoder.ts';

/** A picture that is ready to be stored. */
export interface PreparedImage {
  /** The file without metadata. */
  readonly bytes: Uint8Array;
  /** As displayed. */
  readonly width: number;
  /** As displayed. */
  readonly height: number;
  /** The placeholder while it loads; null for a picture that is too expensive to decode. */
  readonly blurhash: string | null;
  /** A small WebP, as displayed; null for a picture that is too expensive to decode. */
  readonly thumbnail: Uint8Array | null;
}

/** Prepares pictures for storage. */
export interface Images {
  /**
   * Removes metadata, computes size and blurhash, and makes a thumbnail.
   * @returns null if the bytes are not a displayable image of that content type
   * @throws if it cannot run, for example because a thread has crashed
   */
  prepare(bytes: Uint8Array, contentType: string): Promise<PreparedImage | null>;
}

const MAX_PIXELS = 100_000_000;

/** The longest side of a thumbnail (docs/product.md M12). */
const THUMBNAIL_SIDE = 640;

/** Enough for a blurhash. */
const BLURHASH_SIDE = 32;

/** The limit of pixels times scans: a few kilobytes can hold 64 scans of a large picture. */
const MAX_WORK = 250_000_000;

/** The largest picture that a server decodes, within a gigabyte of memory: the size of most cameras. */
export const SERVER_MAX_PIXELS = 24_000_000;

/** The largest picture that an edge function decodes, within a quarter of that memory. */
export const EDGE_MAX_PIXELS = 8_000_000;

/**
 * Prepares pictures in the current thread. Decoding blocks it for up to a second.
 * @param maxDecodedPixels the size of the largest picture that gets a blurhash and a thumbnail
 */
export function createImages(codecs: Codecs, maxDecodedPixels: number): Images {
  const decode = createDecode(codecs);
  const encoder = compiled(codecs.webpEncoder);
  return {
    prepare: async (bytes, contentType) => {
      const stripped = isImageType(contentType) ? strip(bytes, contentType) : null;
      if (stripped === null || !isImageType(contentType)) return null;
      const pixelCount = stripped.width * stripped.height;
      if (pixelCount === 0 || pixelCount > MAX_PIXELS) return null;
      const prepared = { bytes: stripped.bytes, ...displayedSize(stripped), blurhash: null, thumbnail: null };
      const work = pixelCount * (stripped.scans ?? 1);
      if (pixelCount > maxDecodedPixels || work > MAX_WORK || stripped.isCmyk) return prepared;
      const pixels = await decode(stripped.bytes, contentType);
      if (pixels === null) return null;
      const small = turn(shrink(pixels, THUMBNAIL_SIDE), stripped.orientation);
      return {
        ...prepared,
        blurhash: blurhashOf(small),
        thumbnail: await encodeWebp(await encoder(), small),
      };
    },
  };
}

/** Returns a function that decodes a file, or returns null for an unreadable one. */
function createDecode(codecs: Codecs): (file: FileBytes, type: ImageType) => Promise<Pixels | null> {
  const formats: Record<ImageType, Format> = {
    'image/jpeg': { module: compiled(codecs.jpeg), make: makeJpegDecoder, toDecodable: (file) => file },
    'image/png': { module: compiled(codecs.png), make: makePngDecoder, toDecodable: pixelsOfPng },
    'image/webp': { module: compiled(codecs.webp), make: makeWebpDecoder, toDecodable: stillOfWebp },
  };
  return async (file, type) => {
    const { module, make, toDecodable } = formats[type];
    const decoder = await make(await module());
    try {
      return decoder.decode(toDecodable(file));
    } catch {
      return null;
    }
  };
}

type FileBytes = Uint8Array<ArrayBuffer>;

interface Format {
  readonly module: () => Promise<WebAssembly.Module>;
  readonly make: MakeDecoder;
  /** Removes what the decoder cannot read. */
  readonly toDecodable: (file: FileBytes) => FileBytes;
}

function displayedSize({ width, height, orientation }: Stripped): { width: number; height: number } {
  return swapsSides(orientation) ? { width: height, height: width } : { width, height };
}

function blurhashOf(pixels: Pixels): string {
  const { data, width, height } = onWhite(shrink(pixels, BLURHASH_SIDE));
  const [across, down] = width >= height ? [4, 3] : [3, 4];
  return encode(data, width, height, across, down);
}

import { encode } from 'blurhash';
import { swapsSides } from './orientation.ts';
import type { Size } from './rewriting.ts';
import { type Frame, type ImageType, isImageType, listImageFrames, type Stripped, strip } from './strip.ts';

/** Why a file is no picture that can be stored. */
export type Unusable = 'not_decodable' | 'too_large';

/** What shows a picture while it loads, and in lists. */
export interface Preview {
  /** Null for a picture that is too expensive to decode in an edge function. */
  readonly blurhash: string | null;
  /** A small WebP in sRGB, as displayed; null with the blurhash. */
  readonly thumbnail: Uint8Array | null;
}

/** A picture that is ready to be stored. */
export interface PreparedImage extends Preview {
  /** The file without metadata. */
  readonly bytes: Uint8Array;
  /** As displayed. */
  readonly width: number;
  /** As displayed. */
  readonly height: number;
}

/** A picture to decode. */
export interface Picture extends Stripped {
  readonly type: ImageType;
  /** The frames of an animation, and behind them the still of a PNG that shows another picture; none of a still picture. */
  readonly frames: readonly Frame[];
}

/**
 * Decodes all pixels of a picture in the current runtime.
 * @returns null if pixels are missing or broken
 * @throws if the decoder cannot run
 */
export type MakePreview = (picture: Picture) => Promise<Preview | null>;

/** Prepares pictures for storage. */
export interface Images {
  /**
   * Removes metadata, computes size and blurhash, and makes a thumbnail.
   * @returns why the bytes are no picture of that content type that can be stored
   * @throws if the decoder cannot run
   */
  prepare(bytes: Uint8Array, contentType: string): Promise<PreparedImage | Unusable>;
}

/** The longest side of a thumbnail (docs/product.md M12). */
export const THUMBNAIL_SIDE = 640;

/** Enough for a blurhash. */
export const BLURHASH_SIDE = 32;

/** The largest picture (docs/product.md M12). */
export const MAX_PIXELS = 120_000_000;

/** The longest side of a JPEG, and of every other picture. */
const MAX_SIDE = 65_535;

/** The limit of pixels times scans: a few kilobytes can hold 64 scans of a large picture. */
const MAX_SCANNED_PIXELS = 1_500_000_000;

/** The limit of pixels of all frames of an animation. */
const MAX_ANIMATED_PIXELS = 250_000_000;

/** The limit of memory that a decoder takes for what it cannot decode row by row. */
const MAX_DECODER_BYTES = 400_000_000;

/** Prepares pictures in the current runtime. */
export function createImages(makePreview: MakePreview): Images {
  return {
    prepare: async (bytes, contentType) => {
      const stripped = isImageType(contentType) ? strip(bytes, contentType) : null;
      if (stripped === null || !isImageType(contentType)) return 'not_decodable';
      if (stripped.width * stripped.height === 0) return 'not_decodable';
      const picture = {
        ...stripped,
        type: contentType,
        frames: listImageFrames(stripped.bytes, contentType),
      };
      if (isTooLarge(picture)) return 'too_large';
      const preview = await makePreview(picture);
      if (preview === null) return 'not_decodable';
      return { bytes: stripped.bytes, ...displayedSize(stripped), ...preview };
    },
  };
}

function isTooLarge({ width, height, scans, decoderBytes, frames }: Picture): boolean {
  const pixelCount = width * height;
  const animated = frames.reduce((sum, frame) => sum + frame.width * frame.height, 0);
  return (
    pixelCount > MAX_PIXELS ||
    Math.max(width, height) > MAX_SIDE ||
    pixelCount * scans > MAX_SCANNED_PIXELS ||
    animated > MAX_ANIMATED_PIXELS ||
    decoderBytes > MAX_DECODER_BYTES
  );
}

function displayedSize({ width, height, orientation }: Stripped): { width: number; height: number } {
  return swapsSides(orientation) ? { width: height, height: width } : { width, height };
}

/** Returns the blurhash of RGBA pixels without transparency. */
export function computeBlurhash(data: Uint8ClampedArray, { width, height }: Size): string {
  const [across, down] = width >= height ? [4, 3] : [3, 4];
  return encode(data, width, height, across, down);
}

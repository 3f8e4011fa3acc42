import {
  BLURHASH_SIDE,
  computeBlurhash,
  type MakePreview,
  type Picture,
  type Preview,
  THUMBNAIL_SIDE,
} from '../images.ts';
import type { ImageType } from '../strip.ts';
import { type Codecs, compiled } from './codecs.ts';
import type { MakeDecoder, Pixels } from './decoder.ts';
import { makeJpegDecoder, makeWebpDecoder } from './emscripten-decoders.ts';
import { onCanvas, onWhite, shrink, turn } from './pixels.ts';
import { makePngDecoder } from './png-decoder.ts';
import { encodeWebp } from './webp-encoder.ts';

/** The largest picture that an edge function decodes, within its 256 MB (docs/product.md M12). */
const MAX_PIXELS = 8_000_000;

/** Enough for a dozen scans of the largest picture. */
const MAX_SCANNED_PIXELS = 100_000_000;

const NO_PREVIEW: Preview = { blurhash: null, thumbnail: null };

/** Decodes pictures of up to 8 megapixels by WebAssembly, in the current thread, which that blocks for up to a second. */
export function createEdgePreviews(codecs: Codecs): MakePreview {
  const decode = createDecode(codecs);
  const encoder = compiled(codecs.webpEncoder);
  return async (picture) => {
    const { width, height, scans, isCmyk } = picture;
    const pixelCount = width * height;
    if (pixelCount > MAX_PIXELS || pixelCount * scans > MAX_SCANNED_PIXELS || isCmyk) return NO_PREVIEW;
    const pixels = await decode(picture);
    if (pixels === null) return null;
    const small = turn(shrink(pixels, THUMBNAIL_SIDE), picture.orientation);
    const tiny = onWhite(shrink(small, BLURHASH_SIDE));
    return {
      blurhash: computeBlurhash(tiny.data, tiny),
      thumbnail: await encodeWebp(await encoder(), small),
    };
  };
}

/** Returns a function that decodes a picture, or the first frame of one, and returns null for an unreadable one. */
function createDecode(codecs: Codecs): (picture: Picture) => Promise<Pixels | null> {
  const formats: Record<ImageType, Format> = {
    'image/jpeg': { module: compiled(codecs.jpeg), make: makeJpegDecoder },
    'image/png': { module: compiled(codecs.png), make: makePngDecoder },
    'image/webp': { module: compiled(codecs.webp), make: makeWebpDecoder },
  };
  return async (picture) => {
    const { module, make } = formats[picture.type];
    const decoder = await make(await module());
    const [frame] = picture.frames;
    try {
      return frame ? onCanvas(decoder.decode(frame.file()), frame, picture) : decoder.decode(picture.bytes);
    } catch {
      return null;
    }
  };
}

interface Format {
  readonly module: () => Promise<WebAssembly.Module>;
  readonly make: MakeDecoder;
}

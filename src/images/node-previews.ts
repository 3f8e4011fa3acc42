import pLimit from 'p-limit';
import type { Sharp, SharpOptions } from 'sharp';
import {
  BLURHASH_SIDE,
  computeBlurhash,
  MAX_PIXELS,
  type MakePreview,
  type Picture,
  type Preview,
  THUMBNAIL_SIDE,
} from './images.ts';
import type { Frame } from './strip.ts';

/** The formats of uploads. Libvips reads dozens, and each is open to broken files. */
const LOADERS = ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'];

const WHITE = '#ffffff';
const CLEAR = { r: 0, g: 0, b: 0, alpha: 0 };

/**
 * Decodes pictures by sharp (libvips), off the event loop. One at a time: that bounds memory, and libvips collects the warnings of
 * a whole process, which are those of one picture then.
 */
export function createNodePreviews(): MakePreview {
  const limit = pLimit(1);
  let library: ReturnType<typeof loadSharp> | null = null;
  return (picture) =>
    limit(async () => {
      // A process without pictures does without its 20 MB.
      library ??= loadSharp();
      const sharp = await library;
      try {
        return await createPreview(picture, sharp);
      } catch {
        // It throws for pixels that it cannot decode.
        return null;
      }
    });
}

type Open = (input: Uint8Array, options?: SharpOptions) => Sharp;

async function loadSharp(): Promise<Open> {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS });
  return sharp;
}

async function createPreview(picture: Picture, open: Open): Promise<Preview | null> {
  const [first] = picture.frames;
  for (const frame of picture.frames) await shrunk(open, frame.file(), 1);
  const still = first ? await onCanvas(open, first, picture) : await inEightBits(open, picture);
  const { data, raw } = await shrunk(open, still, THUMBNAIL_SIDE);
  const thumbnail = await open(data, { raw }).webp().toBuffer();
  const { data: pixels, info } = await open(data, { raw })
    .flatten({ background: WHITE })
    .resize(within(BLURHASH_SIDE))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return {
    blurhash: computeBlurhash(new Uint8ClampedArray(pixels), info),
    thumbnail: new Uint8Array(thumbnail),
  };
}

/** Decodes a file, and returns its pixels as displayed, in sRGB, with at most `longestSide` a side. */
async function shrunk(open: Open, file: Uint8Array, longestSide: number) {
  const warnings: string[] = [];
  const { data, info } = await strictly(open, file)
    .on('warning', (warning: string) => warnings.push(warning))
    .autoOrient()
    .resize(within(longestSide))
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  // Libvips throws for missing pixels but in the last rows of a JPEG.
  if (warnings.some((warning) => warning.startsWith('read gave')))
    throw new Error('The picture lacks pixels.');
  const { width, height, channels } = info;
  return { data, raw: { width, height, channels } };
}

/** Returns a frame on its canvas, as a PNG with the orientation of the animation. */
function onCanvas(open: Open, frame: Frame, { width, height, orientation }: Picture): Promise<Buffer> {
  const { left, top } = frame;
  const [right, bottom] = [width - left - frame.width, height - top - frame.height];
  return strictly(open, frame.file())
    .toColourspace('srgb')
    .ensureAlpha()
    .extend({ left, top, right, bottom, background: CLEAR })
    .withMetadata({ orientation })
    .png({ compressionLevel: 1 })
    .toBuffer();
}

/** Returns a picture whose profile sharp applies: of 16 bits of grey it applies none. */
async function inEightBits(open: Open, { bytes, type }: Picture): Promise<Uint8Array> {
  const { space, hasProfile } = type === 'image/png' ? await open(bytes).metadata() : {};
  if (space !== 'grey16' || !hasProfile) return bytes;
  const grey = strictly(open, bytes).toColourspace('b-w');
  return grey.keepIccProfile().keepExif().png({ compressionLevel: 1 }).toBuffer();
}

function strictly(open: Open, file: Uint8Array): Sharp {
  return open(file, { failOn: 'warning', limitInputPixels: MAX_PIXELS });
}

function within(side: number) {
  return { width: side, height: side, fit: 'inside', withoutEnlargement: true } as const;
}

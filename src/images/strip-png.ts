import { viewOf } from './bytes.ts';
import { exifOf, type Orientation, orientationOf } from './orientation.ts';
import { type Chunk, chunkOf, chunksOf, isPng, PNG_SIGNATURE } from './png-chunks.ts';
import { Rewriting } from './rewriting.ts';
import type { Stripped } from './stripped.ts';

/** What pixels are made of. */
const PIXELS = ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'];
/** How they look on a screen, and how they move. */
const LOOKS = ['gAMA', 'cHRM', 'sRGB', 'iCCP', 'cICP', 'sBIT', 'bKGD', 'pHYs', 'acTL', 'fcTL', 'fdAT'];

const KEPT = new Set([...PIXELS, ...LOOKS]);
const DECODED = new Set(PIXELS);

/** A PNG without what is not needed to show it; null where it is none. */
export function stripPng(png: Uint8Array): Stripped | null {
  if (!isPng(png)) return null;
  const output = new Rewriting(png);
  output.keep(0, PNG_SIGNATURE.length);
  let size: Size | null = null;
  let orientation: Orientation | null = null;
  let hasPixels = false;
  for (const chunk of chunksOf(png)) {
    // Its header comes first, and once.
    if (chunk === null || (chunk.type === 'IHDR') !== (size === null)) return null;
    size ??= sizeOf(chunk);
    hasPixels ||= chunk.type === 'IDAT';
    if (KEPT.has(chunk.type)) output.keep(chunk.start, chunk.end);
    if (chunk.type !== 'eXIf' || orientation !== null) continue;
    orientation = orientationOf(chunk.data);
    if (orientation !== 1) output.put(chunkOf('eXIf', exifOf(orientation)));
  }
  if (size === null || !hasPixels) return null;
  return { bytes: output.done(), ...size, orientation: orientation ?? 1 };
}

/** A PNG without all but its pixels: a decoder has no use for the rest, which may unpack to any size. */
export function pixelsOfPng(png: Uint8Array): Uint8Array<ArrayBuffer> {
  const output = new Rewriting(png);
  output.keep(0, PNG_SIGNATURE.length);
  for (const chunk of chunksOf(png)) {
    if (chunk !== null && DECODED.has(chunk.type)) output.keep(chunk.start, chunk.end);
  }
  return output.done();
}

interface Size {
  readonly width: number;
  readonly height: number;
}

function sizeOf({ data }: Chunk): Size | null {
  if (data.length !== 13) return null;
  const view = viewOf(data);
  return { width: view.getUint32(0), height: view.getUint32(4) };
}

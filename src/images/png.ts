import { bytesOf, holdsAt, textAt, viewOf } from './bytes.ts';
import { exifOf, type Orientation, orientationOf } from './orientation.ts';
import { Rewriting, type Stripped } from './rewriting.ts';

/** Chunks that decoding needs. */
const PIXELS = ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'];
/** Chunks for colours, resolution and animation. */
const APPEARANCE = ['gAMA', 'cHRM', 'sRGB', 'iCCP', 'cICP', 'sBIT', 'bKGD', 'pHYs', 'acTL', 'fcTL', 'fdAT'];

const KEPT = new Set([...PIXELS, ...APPEARANCE]);
const DECODED = new Set(PIXELS);

/** Removes everything from a PNG that showing it does not need. @returns null if it is not a PNG */
export function stripPng(png: Uint8Array): Stripped | null {
  if (!isPng(png)) return null;
  const output = new Rewriting(png);
  output.keep(0, PNG_SIGNATURE.length);
  let size: Size | null = null;
  let orientation: Orientation | null = null;
  let hasPixels = false;
  for (const chunk of chunksOf(png)) {
    // The header comes first, and only once.
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

/** Returns a PNG with only the chunks that decoding needs: others may unpack to any size. */
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

/** A chunk of a PNG. */
export interface Chunk {
  readonly type: string;
  readonly start: number;
  readonly data: Uint8Array;
  /** Its end, including the checksum. */
  readonly end: number;
}

/** The first bytes of every PNG. */
const PNG_SIGNATURE = '\x89PNG\r\n\x1a\n';

/** Iterates over the chunks of a PNG up to IEND. Ends with null if the file is truncated. */
export function* chunksOf(png: Uint8Array): Generator<Chunk | null> {
  const view = viewOf(png);
  let start = PNG_SIGNATURE.length;
  for (;;) {
    if (start + 12 > png.length) return yield null;
    const end = start + 12 + view.getUint32(start);
    if (end > png.length) return yield null;
    const type = textAt(png, start + 4, 4);
    yield { type, start, data: png.subarray(start + 8, end - 4), end };
    if (type === 'IEND') return;
    start = end;
  }
}

/** Whether a file begins like a PNG. */
function isPng(bytes: Uint8Array): boolean {
  return holdsAt(bytes, 0, PNG_SIGNATURE);
}

/** Returns a chunk with `data`. */
function chunkOf(type: string, data: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(12 + data.length);
  const view = viewOf(chunk);
  view.setUint32(0, data.length);
  chunk.set(bytesOf(type), 4);
  chunk.set(data, 8);
  view.setUint32(8 + data.length, crc32(chunk.subarray(4, 8 + data.length)));
  return chunk;
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

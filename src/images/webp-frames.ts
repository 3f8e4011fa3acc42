import { viewOf } from './bytes.ts';
import { endOfWebp, FIRST_CHUNK, type RiffChunk, riffChunkOf, riffChunksOf } from './riff-chunks.ts';
import { canvasOf, FLAGS, type Size, sizeAt, sizeOfPixels } from './webp-headers.ts';

/** A frame of an animation. */
export interface Frame extends Size {
  /** The chunks of its pixels. */
  readonly parts: readonly RiffChunk[];
}

/** What ANMF has before the chunks of its pixels: place, size, duration. */
export const FRAME_HEADER = 16;

/** The frame that an ANMF holds; null where it holds none that fits on the canvas. */
export function frameOf(bytes: Uint8Array, { body, bodyEnd }: RiffChunk, canvas: Size): Frame | null {
  if (bodyEnd - body < FRAME_HEADER) return null;
  const { width, height } = sizeAt(bytes, body + 6);
  if (width > canvas.width || height > canvas.height) return null;
  const parts: RiffChunk[] = [];
  for (const chunk of riffChunksOf(bytes, body + FRAME_HEADER, bodyEnd)) {
    if (chunk === null) return null;
    if (chunk.type === 'ALPH') parts.push(chunk);
    if (chunk.type !== 'VP8 ' && chunk.type !== 'VP8L') continue;
    const size = sizeOfPixels(bytes, chunk);
    if (size?.width !== width || size.height !== height) return null;
    return { width, height, parts: [...parts, chunk] };
  }
  return null;
}

/** The first frame of an animation as a picture of its own, for a decoder that reads no animations; a still as it is. */
export function stillOfWebp(webp: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  for (const chunk of riffChunksOf(webp, FIRST_CHUNK, endOfWebp(webp) ?? 0)) {
    if (chunk === null) break;
    const canvas = chunk.type === 'VP8X' ? canvasOf(webp, chunk) : null;
    if (canvas !== null && !canvas.isAnimated) break;
    if (chunk.type === 'ANMF') return stillOf(webp, chunk);
  }
  return webp;
}

function stillOf(webp: Uint8Array, { body, bodyEnd }: RiffChunk): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(10);
  header[0] = FLAGS.alpha;
  header.set(webp.subarray(body + 6, body + 12), 4);
  const canvas = riffChunkOf('VP8X', header);
  const pixels = webp.subarray(body + FRAME_HEADER, bodyEnd);
  const still = new Uint8Array(FIRST_CHUNK + canvas.length + pixels.length);
  still.set(webp.subarray(0, FIRST_CHUNK));
  viewOf(still).setUint32(4, still.length - 8, true);
  still.set(canvas, FIRST_CHUNK);
  still.set(pixels, FIRST_CHUNK + canvas.length);
  return still;
}

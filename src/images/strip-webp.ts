import { exifOf, type Orientation, orientationOf } from './orientation.ts';
import { Rewriting } from './rewriting.ts';
import {
  CHUNK_HEADER,
  endOfWebp,
  FIRST_CHUNK,
  type RiffChunk,
  riffChunkOf,
  riffChunksOf,
} from './riff-chunks.ts';
import type { Stripped } from './stripped.ts';
import { FRAME_HEADER, frameOf } from './webp-frames.ts';
import { type Canvas, canvasOf, FLAGS, type Size, sizeOfPixels } from './webp-headers.ts';

/** A WebP without what is not needed to show it; null where it is none. */
export function stripWebp(bytes: Uint8Array): Stripped | null {
  const end = endOfWebp(bytes);
  if (end === null) return null;
  const stripping = new WebpStripping(bytes);
  for (const chunk of riffChunksOf(bytes, FIRST_CHUNK, end)) {
    if (chunk === null || !stripping.take(chunk)) return null;
  }
  return stripping.done();
}

class WebpStripping {
  readonly #bytes: Uint8Array;
  readonly #output: Rewriting;
  #canvas: Canvas | null = null;
  #picture: Size | null = null;
  #orientation: Orientation | null = null;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#output = new Rewriting(bytes);
    this.#output.keep(0, FIRST_CHUNK);
  }

  /** Goes on with a chunk; false where no picture has it there. */
  take(chunk: RiffChunk): boolean {
    if (chunk.start === FIRST_CHUNK && chunk.type === 'VP8X') return this.#takeCanvas(chunk);
    if (chunk.type === 'VP8 ' || chunk.type === 'VP8L') return this.#takePixels(chunk);
    // Without VP8X there is nothing but pixels.
    if (this.#canvas === null) return this.#picture !== null;
    if (chunk.type === 'ANMF') return this.#takeFrame(chunk, this.#canvas);
    if (chunk.type === 'EXIF') this.#takeExif(chunk);
    else if (this.#isKept(chunk, this.#canvas)) this.#keep(chunk);
    return true;
  }

  done(): Stripped | null {
    if (this.#picture === null) return null;
    const orientation = this.#orientation ?? 1;
    const written = this.#output.view();
    written.setUint32(4, written.byteLength - CHUNK_HEADER, true);
    if (this.#canvas !== null) {
      const at = FIRST_CHUNK + CHUNK_HEADER;
      const others = written.getUint8(at) & ~(FLAGS.exif | FLAGS.xmp);
      written.setUint8(at, others | (orientation === 1 ? 0 : FLAGS.exif));
    }
    const { width, height } = this.#canvas ?? this.#picture;
    return { bytes: this.#output.done(), width, height, orientation };
  }

  #takeCanvas(chunk: RiffChunk): boolean {
    this.#canvas = canvasOf(this.#bytes, chunk);
    this.#keep(chunk);
    return this.#canvas !== null;
  }

  #takePixels(chunk: RiffChunk): boolean {
    // Further pixels would be another picture, which is not shown.
    if (this.#picture !== null || this.#canvas?.isAnimated) return true;
    this.#picture = sizeOfPixels(this.#bytes, chunk);
    this.#keep(chunk);
    return this.#picture !== null && (this.#canvas === null || isAsLarge(this.#picture, this.#canvas));
  }

  #takeFrame(chunk: RiffChunk, canvas: Canvas): boolean {
    if (!canvas.isAnimated) return true;
    const frame = frameOf(this.#bytes, chunk, canvas);
    if (frame === null) return false;
    this.#picture ??= frame;
    const start = this.#output.length;
    this.#output.keep(chunk.start, chunk.body + FRAME_HEADER);
    for (const part of frame.parts) this.#keep(part);
    const length = this.#output.length - start - CHUNK_HEADER;
    if (length % 2 === 1) this.#output.put(Uint8Array.of(0));
    this.#output.view().setUint32(start + 4, length, true);
    return true;
  }

  #takeExif({ body, bodyEnd }: RiffChunk): void {
    if (this.#orientation !== null) return;
    this.#orientation = orientationOf(this.#bytes.subarray(body, bodyEnd));
    if (this.#orientation !== 1) this.#output.put(riffChunkOf('EXIF', exifOf(this.#orientation)));
  }

  #isKept({ type }: RiffChunk, { isAnimated }: Canvas): boolean {
    if (type === 'ICCP') return true;
    return isAnimated ? type === 'ANIM' : type === 'ALPH' && this.#picture === null;
  }

  #keep({ start, end }: RiffChunk): void {
    this.#output.keep(start, end);
  }
}

function isAsLarge(one: Size, other: Size): boolean {
  return one.width === other.width && one.height === other.height;
}

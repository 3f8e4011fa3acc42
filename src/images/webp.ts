import { createView, encodeText, holdsAt, joined, textAt } from './bytes.ts';
import { createExif, type Orientation, readOrientation } from './orientation.ts';
import { type Frame, isWithin, Rewriting, type Size, type Stripped } from './rewriting.ts';

/** Removes everything from a WebP that showing it does not need. @returns null if it is not a WebP */
export function stripWebp(bytes: Uint8Array): Stripped | null {
  const end = findWebpEnd(bytes);
  if (end === null) return null;
  const stripping = new WebpStripping(bytes);
  for (const chunk of readRiffChunks(bytes, FIRST_CHUNK, end)) {
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
  #isLossless = false;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#output = new Rewriting(bytes);
    this.#output.keep(0, FIRST_CHUNK);
  }

  /** Copies or drops the next chunk. @returns false if a valid picture cannot have it here */
  take(chunk: RiffChunk): boolean {
    if (chunk.start === FIRST_CHUNK && chunk.type === 'VP8X') return this.#takeCanvas(chunk);
    if (chunk.type === 'VP8 ' || chunk.type === 'VP8L') return this.#takePixels(chunk);
    // A file without VP8X has only pixels.
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
    return {
      bytes: this.#output.done(),
      width,
      height,
      orientation,
      isCmyk: false,
      scans: 1,
      // Rows of VP8L refer to all rows before them, and a frame is put on its canvas.
      decoderBytes: this.#isLossless || this.#canvas?.isAnimated ? 4 * width * height : 0,
    };
  }

  #takeCanvas(chunk: RiffChunk): boolean {
    this.#canvas = parseCanvas(this.#bytes, chunk);
    this.#keep(chunk);
    return this.#canvas !== null;
  }

  #takePixels(chunk: RiffChunk): boolean {
    // Further pixels would be another picture, and apps do not show it.
    if (this.#picture !== null || this.#canvas?.isAnimated) return true;
    this.#picture = sizeOfPixels(this.#bytes, chunk);
    this.#isLossless = chunk.type === 'VP8L';
    this.#keep(chunk);
    return this.#picture !== null && (this.#canvas === null || isAsLarge(this.#picture, this.#canvas));
  }

  #takeFrame(chunk: RiffChunk, canvas: Canvas): boolean {
    if (!canvas.isAnimated) return true;
    const frame = parseFrame(this.#bytes, chunk, canvas);
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
    this.#orientation = readOrientation(this.#bytes.subarray(body, bodyEnd));
    if (this.#orientation !== 1) this.#output.put(createRiffChunk('EXIF', createExif(this.#orientation)));
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

/** A chunk of a WebP. */
interface RiffChunk {
  readonly type: string;
  readonly start: number;
  /** The start of its payload, which ends before `bodyEnd`. */
  readonly body: number;
  readonly bodyEnd: number;
  /** Its end, including padding. */
  readonly end: number;
}

/** The length of a chunk's header: type and length. */
const CHUNK_HEADER = 8;

/** The offset of a WebP's first chunk. */
const FIRST_CHUNK = 12;

/** Returns the end of a WebP by its header, or null if it is truncated or not a WebP. */
function findWebpEnd(bytes: Uint8Array): number | null {
  if (bytes.length < FIRST_CHUNK || !holdsAt(bytes, 0, 'RIFF') || !holdsAt(bytes, 8, 'WEBP')) return null;
  const end = CHUNK_HEADER + createView(bytes).getUint32(4, true);
  return end >= FIRST_CHUNK && end <= bytes.length ? end : null;
}

/** Iterates over the chunks from `from` to before `to`. Ends with null if a chunk is truncated. */
function* readRiffChunks(bytes: Uint8Array, from: number, to: number): Generator<RiffChunk | null> {
  const view = createView(bytes);
  let start = from;
  while (start < to) {
    if (start + CHUNK_HEADER > to) return yield null;
    const body = start + CHUNK_HEADER;
    const bodyEnd = body + view.getUint32(start + 4, true);
    if (bodyEnd > to) return yield null;
    // Some programs omit the padding of the last chunk.
    const end = Math.min(bodyEnd + ((bodyEnd - body) % 2), to);
    yield { type: textAt(bytes, start, 4), start, body, bodyEnd, end };
    start = end;
  }
}

/** Returns a chunk. @param data of even length */
function createRiffChunk(type: string, data: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(CHUNK_HEADER + data.length);
  chunk.set(encodeText(type));
  createView(chunk).setUint32(4, data.length, true);
  chunk.set(data, CHUNK_HEADER);
  return chunk;
}

/** A frame in an ANMF chunk. */
interface FrameChunk extends Size {
  readonly left: number;
  readonly top: number;
  /** The chunks of its pixels. */
  readonly parts: readonly RiffChunk[];
}

/** The length of ANMF's fields before its chunks: position, size, duration. */
const FRAME_HEADER = 16;

/** Returns the frame in an ANMF chunk, or null if it is malformed or exceeds the canvas. */
function parseFrame(bytes: Uint8Array, { body, bodyEnd }: RiffChunk, canvas: Size): FrameChunk | null {
  if (bodyEnd - body < FRAME_HEADER) return null;
  const [left, top] = [2 * u24At(bytes, body), 2 * u24At(bytes, body + 3)];
  const { width, height } = sizeAt(bytes, body + 6);
  if (!isWithin({ left, top, width, height }, canvas)) return null;
  const parts: RiffChunk[] = [];
  for (const chunk of readRiffChunks(bytes, body + FRAME_HEADER, bodyEnd)) {
    if (chunk === null) return null;
    if (chunk.type === 'ALPH') parts.push(chunk);
    if (chunk.type !== 'VP8 ' && chunk.type !== 'VP8L') continue;
    const size = sizeOfPixels(bytes, chunk);
    if (size?.width !== width || size.height !== height) return null;
    return { left, top, width, height, parts: [...parts, chunk] };
  }
  return null;
}

/** Returns the frames of a stripped animation as stills, in their order. */
export function listWebpFrames(webp: Uint8Array): Frame[] {
  const chunks = [...readRiffChunks(webp, FIRST_CHUNK, findWebpEnd(webp) ?? 0)].filter(
    (chunk) => chunk !== null,
  );
  const canvas = chunks[0]?.type === 'VP8X' ? parseCanvas(webp, chunks[0]) : null;
  if (!canvas?.isAnimated) return [];
  const profile = chunks.filter(({ type }) => type === 'ICCP');
  return chunks
    .map((chunk) => (chunk.type === 'ANMF' ? parseFrame(webp, chunk, canvas) : null))
    .filter((frame) => frame !== null)
    .map(({ parts, ...area }) => ({ ...area, file: () => createStill(webp, area, [...profile, ...parts]) }));
}

/** Returns chunks of an animation as a WebP of another size. */
function createStill(
  webp: Uint8Array,
  { width, height }: Size,
  chunks: readonly RiffChunk[],
): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(10);
  header[0] = FLAGS.alpha | (chunks.some(({ type }) => type === 'ICCP') ? FLAGS.profile : 0);
  // Sides of 24 bits, of which a frame has 14.
  createView(header).setUint16(4, width - 1, true);
  createView(header).setUint16(7, height - 1, true);
  const parts = chunks.map(({ start, end }) => webp.subarray(start, end));
  const still = joined(webp.subarray(0, FIRST_CHUNK), createRiffChunk('VP8X', header), ...parts);
  createView(still).setUint32(4, still.length - CHUNK_HEADER, true);
  return still;
}

/** The fields of VP8X. */
interface Canvas extends Size {
  readonly isAnimated: boolean;
}

/** Flags of VP8X. */
const FLAGS = { profile: 0x20, alpha: 0x10, exif: 0x08, xmp: 0x04, animation: 0x02 };

/** Returns the canvas of a VP8X chunk, or null if the chunk is too short. */
function parseCanvas(bytes: Uint8Array, { body, bodyEnd }: RiffChunk): Canvas | null {
  if (bodyEnd - body < 10) return null;
  const isAnimated = (createView(bytes).getUint8(body) & FLAGS.animation) !== 0;
  return { ...sizeAt(bytes, body + 4), isAnimated };
}

/** Returns a size of two sides, each stored in 24 bits as its value minus one. */
function sizeAt(bytes: Uint8Array, at: number): Size {
  return { width: 1 + u24At(bytes, at), height: 1 + u24At(bytes, at + 3) };
}

/** Returns a number of 24 bits. */
function u24At(bytes: Uint8Array, at: number): number {
  const view = createView(bytes);
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
}

/** Returns the size of coded pixels, or null if they are neither VP8 nor VP8L. */
function sizeOfPixels(bytes: Uint8Array, { type, body, bodyEnd }: RiffChunk): Size | null {
  const data = createView(bytes.subarray(body, bodyEnd));
  if (type === 'VP8 ' && data.byteLength >= 10 && holdsAt(bytes, body + 3, '\x9d\x01\x2a')) {
    return { width: data.getUint16(6, true) & 0x3fff, height: data.getUint16(8, true) & 0x3fff };
  }
  if (type === 'VP8L' && data.byteLength >= 5 && data.getUint8(0) === 0x2f) {
    const bits = data.getUint32(1, true);
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  return null;
}

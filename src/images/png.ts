import { createView, encodeText, holdsAt, joined, textAt } from './bytes.ts';
import { createExif, type Orientation, readOrientation } from './orientation.ts';
import { type Frame, isWithin, Rewriting, type Size, type Stripped } from './rewriting.ts';

/** Chunks that decoding needs. Decoders refuse other ones with an upper-case letter at the beginning. */
const CRITICAL = ['IHDR', 'PLTE', 'IDAT', 'IEND'];
/** Chunks of the appearance of all frames. */
const APPEARANCE = [
  'PLTE',
  'tRNS',
  'gAMA',
  'cHRM',
  'sRGB',
  'iCCP',
  'cICP',
  'mDCV',
  'cLLI',
  'sBIT',
  'bKGD',
  'pHYs',
];

const KEPT = new Set([...CRITICAL, ...APPEARANCE]);
const SHARED = new Set(APPEARANCE);

/** Samples of a pixel by colour type. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** Removes everything from a PNG that showing it does not need. @returns null if it is not a PNG */
export function stripPng(png: Uint8Array): Stripped | null {
  if (!isPng(png)) return null;
  const stripping = new PngStripping(png);
  for (const chunk of readChunks(png)) {
    if (chunk === null || !stripping.take(chunk)) return null;
  }
  return stripping.done();
}

interface Header extends Size {
  readonly decoderBytes: number;
}

class PngStripping {
  readonly #output: Rewriting;
  #header: Header | null = null;
  #orientation: Orientation | null = null;
  #pixels: 'none' | 'open' | 'closed' = 'none';
  #animation: Animation | null = null;
  #hasEnd = false;

  constructor(png: Uint8Array) {
    this.#output = new Rewriting(png);
    this.#output.keep(0, PNG_SIGNATURE.length);
  }

  /** Copies or drops the next chunk. @returns false if a valid picture cannot have it here */
  take(chunk: Chunk): boolean {
    const { type } = chunk;
    // The header comes first, and only once.
    if ((type === 'IHDR') !== (this.#header === null)) return false;
    this.#header ??= parseHeader(chunk);
    if (this.#header === null || !(KEPT.has(type) || /^[a-z][A-Za-z]{3}$/.test(type))) return false;
    if (type === 'IDAT') return this.#takePixels(chunk);
    if (this.#pixels === 'open') this.#pixels = 'closed';
    if (type === 'eXIf') this.#takeExif(chunk);
    if (type === 'acTL') return this.#beginAnimation(chunk);
    if (type === 'fcTL' || type === 'fdAT') return this.#takeFrame(chunk, this.#header);
    if (KEPT.has(type)) this.#keep(chunk);
    this.#hasEnd = type === 'IEND';
    return true;
  }

  done(): Stripped | null {
    if (this.#header === null || this.#pixels === 'none') return null;
    if (this.#animation !== null && !this.#animation.isComplete()) return null;
    if (!this.#hasEnd) this.#output.put(IEND);
    const bytes = this.#output.done();
    return { bytes, ...this.#header, orientation: this.#orientation ?? 1, isCmyk: false, scans: 1 };
  }

  #takePixels(chunk: Chunk): boolean {
    // Decoders ignore pixels behind another chunk.
    if (this.#pixels === 'closed') return false;
    this.#pixels = 'open';
    this.#keep(chunk);
    return true;
  }

  #takeExif({ data }: Chunk): void {
    if (this.#orientation !== null) return;
    this.#orientation = readOrientation(data);
    if (this.#orientation !== 1) this.#output.put(createChunk('eXIf', createExif(this.#orientation)));
  }

  #beginAnimation(chunk: Chunk): boolean {
    if (this.#animation !== null || this.#pixels !== 'none' || chunk.data.length !== 8) return false;
    this.#animation = new Animation(createView(chunk.data).getUint32(0));
    this.#keep(chunk);
    return true;
  }

  /** Without an acTL chunk, decoders show a still picture. */
  #takeFrame(chunk: Chunk, canvas: Size): boolean {
    if (this.#animation === null) return true;
    this.#keep(chunk);
    return this.#animation.take(chunk, canvas, this.#pixels !== 'none');
  }

  #keep({ start, end }: Chunk): void {
    this.#output.keep(start, end);
  }
}

/** Checks the frames of an animation: their number, their order, and that they lie within the canvas. */
class Animation {
  readonly #frameCount: number;
  #frames = 0;
  #sequence = 0;
  /** Whether the last frame has pixels, or takes them from IDAT. */
  #hasPixels = true;

  constructor(frameCount: number) {
    this.#frameCount = frameCount;
  }

  take({ type, data }: Chunk, canvas: Size, isBehindPixels: boolean): boolean {
    if (data.length < 4 || createView(data).getUint32(0) !== this.#sequence) return false;
    this.#sequence += 1;
    if (type === 'fdAT') {
      this.#hasPixels = true;
      return isBehindPixels && this.#frames > 0;
    }
    const area = findArea(data);
    if (area === null || !this.#hasPixels || !isWithin(area, canvas)) return false;
    this.#frames += 1;
    this.#hasPixels = !isBehindPixels;
    return (
      isBehindPixels || (this.#frames === 1 && area.width === canvas.width && area.height === canvas.height)
    );
  }

  isComplete(): boolean {
    return this.#frames > 0 && this.#frames === this.#frameCount && this.#hasPixels;
  }
}

interface Area extends Size {
  readonly left: number;
  readonly top: number;
}

/** Returns the area of a frame by the data of its fcTL chunk, or null if that is too short. */
function findArea(data: Uint8Array): Area | null {
  if (data.length !== 26) return null;
  const view = createView(data);
  return {
    width: view.getUint32(4),
    height: view.getUint32(8),
    left: view.getUint32(12),
    top: view.getUint32(16),
  };
}

/**
 * Returns the frames of a stripped APNG as stills, in their order, and last the picture of programs without animation if that is
 * none of them.
 */
export function listPngFrames(png: Uint8Array): Frame[] {
  const [header, ...chunks] = [...readChunks(png)].filter((chunk) => chunk !== null);
  if (!header || !chunks.some(({ type }) => type === 'acTL')) return [];
  const { width, height } = readSize(header.data);
  const frames: { area: Area; pixels: Chunk[] }[] = [];
  const hidden = { area: { left: 0, top: 0, width, height }, pixels: [] as Chunk[] };
  for (const chunk of chunks) {
    const area = chunk.type === 'fcTL' ? findArea(chunk.data) : null;
    if (area !== null) frames.push({ area, pixels: [] });
    if (chunk.type === 'IDAT') (frames.at(-1) ?? hidden).pixels.push(chunk);
    if (chunk.type === 'fdAT') frames.at(-1)?.pixels.push(chunk);
  }
  if (hidden.pixels.length > 0) frames.push(hidden);
  const shared = chunks.filter(({ type }) => SHARED.has(type));
  return frames.map(({ area, pixels }) => ({
    ...area,
    file: () => createStill(png, header, area, [...shared, ...pixels]),
  }));
}

/** Returns chunks of an APNG as a PNG of another size. */
function createStill(
  png: Uint8Array,
  header: Chunk,
  size: Size,
  chunks: readonly Chunk[],
): Uint8Array<ArrayBuffer> {
  const resized = header.data.slice();
  createView(resized).setUint32(0, size.width);
  createView(resized).setUint32(4, size.height);
  const parts = chunks.map(({ type, start, end, data }) =>
    type === 'fdAT' ? createChunk('IDAT', data.subarray(4)) : png.subarray(start, end),
  );
  return joined(encodeText(PNG_SIGNATURE), createChunk('IHDR', resized), ...parts, IEND);
}

function parseHeader({ data }: Chunk): Header | null {
  if (data.length !== 13) return null;
  const [depth = 0, colourType = 0, , , interlacing = 0] = data.subarray(8);
  const size = readSize(data);
  const bytes = (size.width * size.height * (CHANNELS[colourType] ?? 4) * depth) / 8;
  return { ...size, decoderBytes: interlacing === 0 ? 0 : bytes };
}

function readSize(header: Uint8Array): Size {
  const view = createView(header);
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

/**
 * Iterates over the chunks of a PNG up to IEND, which may be missing or cut off. Ends with null if another chunk is truncated.
 */
export function* readChunks(png: Uint8Array): Generator<Chunk | null> {
  const view = createView(png);
  let start = PNG_SIGNATURE.length;
  for (;;) {
    if (isStartOfEnd(png.subarray(start))) return;
    if (start + 12 > png.length) return yield null;
    const end = start + 12 + view.getUint32(start);
    if (end > png.length) return yield null;
    const type = textAt(png, start + 4, 4);
    yield { type, start, data: png.subarray(start + 8, end - 4), end };
    if (type === 'IEND') return;
    start = end;
  }
}

/** Whether nothing but the end of a PNG is missing. */
function isStartOfEnd(rest: Uint8Array): boolean {
  return rest.length < IEND.length && rest.every((byte, index) => byte === IEND[index]);
}

/** Whether a file begins like a PNG. */
function isPng(bytes: Uint8Array): boolean {
  return holdsAt(bytes, 0, PNG_SIGNATURE);
}

/** Returns a chunk with `data`. */
function createChunk(type: string, data: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(12 + data.length);
  const view = createView(chunk);
  view.setUint32(0, data.length);
  chunk.set(encodeText(type), 4);
  chunk.set(data, 8);
  view.setUint32(8 + data.length, crc32(chunk.subarray(4, 8 + data.length)));
  return chunk;
}

/** The checksums of single bytes. */
const CRCS = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  return crc;
});

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ (CRCS[(crc ^ byte) & 0xff] ?? 0);
  return (crc ^ 0xffffffff) >>> 0;
}

/** The last chunk. */
const IEND = createChunk('IEND', new Uint8Array());

import { createView, encodeText, holdsAt } from './bytes.ts';
import { createExif, EXIF_PREFIX, type Orientation, readOrientation } from './orientation.ts';
import { Rewriting, type Size, type Stripped } from './rewriting.ts';

const APP0 = 0xe0;
const APP1 = 0xe1;
const APP2 = 0xe2;
const APP14 = 0xee;
/** Huffman tables, arithmetic conditioning, quantization tables, restart interval. */
const TABLES = [0xc4, 0xcc, 0xdb, 0xdd];

/**
 * The limit of scans of a picture. Programs write a dozen at most; thousands of tiny scans would keep a decoder busy for
 * minutes.
 */
const MAX_SCANS = 64;

/** Removes everything from a JPEG that showing it does not need. @returns null if it is not a JPEG */
export function stripJpeg(bytes: Uint8Array): Stripped | null {
  if (!holdsAt(bytes, 0, '\xff\xd8\xff')) return null;
  const stripping = new JpegStripping(bytes);
  for (const segment of readSegments(bytes)) {
    if (segment === null || !stripping.take(segment)) return null;
  }
  return stripping.done();
}

class JpegStripping {
  readonly #bytes: Uint8Array;
  readonly #output: Rewriting;
  #frame: JpegFrame | null = null;
  #orientation: Orientation | null = null;
  #scans = 0;
  #hasEnd = false;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#output = new Rewriting(bytes);
    this.#output.keep(0, 2);
  }

  /** Copies or drops the next segment. @returns false if a valid picture cannot have it here */
  take(segment: Segment): boolean {
    const { code } = segment;
    if (isFrame(segment)) return this.#takeFrame(segment);
    if (code === SOS) return this.#takeScan(segment);
    if (isEnd(segment)) this.#hasEnd = true;
    if (isEnd(segment) || TABLES.includes(code)) this.#keep(segment);
    else if (isApplication(code)) this.#takeApplication(segment);
    // Decoders refuse a marker that they do not know.
    else return standsAlone(code) || code === COM || code === DNL;
    return true;
  }

  /** A truncated picture may lack its end marker, and no pixels: a decoder misses no scan that is not there. */
  done(): Stripped | null {
    const frame = this.#frame;
    if (frame === null || !frame.isComplete()) return null;
    if (!this.#hasEnd) this.#output.put(Uint8Array.of(0xff, EOI));
    const { width, height } = frame;
    return {
      bytes: this.#output.done(),
      width,
      height,
      orientation: this.#orientation ?? 1,
      isCmyk: frame.components.size === 4,
      scans: this.#scans,
      decoderBytes: this.#scans === 1 ? 0 : frame.coefficientBytes(),
    };
  }

  #takeFrame(segment: Segment): boolean {
    // A second frame would be another picture.
    if (this.#frame !== null) return false;
    this.#frame = JpegFrame.read(this.#bytes.subarray(segment.body, segment.bodyEnd), segment.code);
    this.#keep(segment);
    return this.#frame !== null;
  }

  #takeScan(segment: Segment): boolean {
    this.#scans += 1;
    if (this.#frame === null || this.#scans > MAX_SCANS) return false;
    this.#keep(segment);
    return this.#frame.takeScan(this.#bytes.subarray(segment.body, segment.bodyEnd));
  }

  #takeApplication(segment: Segment): void {
    const { code } = segment;
    if (code === APP0 && this.#startsWith(segment, 'JFIF\0', 14)) this.#keepJfif(segment);
    else if (code === APP2 && this.#startsWith(segment, 'ICC_PROFILE\0', 14)) this.#keep(segment);
    else if (code === APP14 && this.#startsWith(segment, 'Adobe', 12)) this.#keepStart(segment, 12);
    else if (code === APP1 && this.#startsWith(segment, EXIF_PREFIX, 6)) this.#keepOrientation(segment);
  }

  #startsWith({ body, bodyEnd }: Segment, text: string, minLength: number): boolean {
    return bodyEnd - body >= minLength && holdsAt(this.#bytes, body, text);
  }

  #keep({ start, end }: Segment): void {
    this.#output.keep(start, end);
  }

  #keepJfif(segment: Segment): void {
    const { body, bodyEnd } = segment;
    if (bodyEnd - body === 14) this.#keep(segment);
    // The last two of the 14 bytes are the size of the thumbnail that follows; 0 drops it.
    else this.#put(APP0, [...this.#bytes.subarray(body, body + 12), 0, 0]);
  }

  #keepStart(segment: Segment, length: number): void {
    const { body, bodyEnd, code } = segment;
    if (bodyEnd - body === length) this.#keep(segment);
    else this.#put(code, this.#bytes.subarray(body, body + length));
  }

  #keepOrientation({ body, bodyEnd }: Segment): void {
    if (this.#orientation !== null || this.#scans > 0) return;
    this.#orientation = readOrientation(this.#bytes.subarray(body, bodyEnd));
    if (this.#orientation === 1) return;
    this.#put(APP1, [...encodeText(EXIF_PREFIX), ...createExif(this.#orientation)]);
  }

  #put(code: number, body: Iterable<number>): void {
    const bytes = [...body];
    this.#output.put(Uint8Array.from([0xff, code, 0, bytes.length + 2, ...bytes]));
  }
}

/** How many coefficients a block has. */
const COEFFICIENTS = 64;

/** The bits of a coefficient that no scan has shown. */
const UNKNOWN = 0xff;

interface Component {
  /** Samples of this component for one block of all, across times down. */
  readonly samples: number;
  /** How many low bits of each coefficient are not coded yet. */
  readonly missingBits: Uint8Array;
}

/** The frame header of a JPEG, and what its scans have shown. */
class JpegFrame implements Size {
  readonly width: number;
  readonly height: number;
  readonly components: ReadonlyMap<number, Component>;
  readonly #isProgressive: boolean;

  /** Returns null if the header is too short or names a component twice. */
  static read(header: Uint8Array, code: number): JpegFrame | null {
    const count = header[5] ?? 0;
    if (count === 0 || header.length < 6 + 3 * count) return null;
    const components = Array.from({ length: count }, (_, index): [number, Component] => {
      const [id = 0, factors = 0] = header.subarray(6 + 3 * index);
      const missingBits = new Uint8Array(COEFFICIENTS).fill(UNKNOWN);
      return [id, { samples: (factors >> 4) * (factors & 15), missingBits }];
    });
    const frame = new JpegFrame(createView(header), components, code);
    return frame.components.size === count ? frame : null;
  }

  private constructor(header: DataView, components: readonly [number, Component][], code: number) {
    this.height = header.getUint16(1);
    this.width = header.getUint16(3);
    this.components = new Map(components);
    this.#isProgressive = code === SOF2 || code === SOF10;
  }

  /** Notes what a scan shows. @returns false if the frame has no such components */
  takeScan(header: Uint8Array): boolean {
    const count = header[0] ?? 0;
    if (header.length < 4 + 2 * count) return false;
    const [first = 0, last = 0, bits = 0] = this.#isProgressive
      ? header.subarray(1 + 2 * count)
      : [0, COEFFICIENTS - 1, 0];
    return Array.from({ length: count }, (_, index) =>
      this.components.get(header[1 + 2 * index] ?? -1),
    ).every((component) => component?.missingBits.fill(bits & 15, first, last + 1) !== undefined);
  }

  isComplete(): boolean {
    return [...this.components.values()].every(({ missingBits }) => missingBits.every((bits) => bits === 0));
  }

  /** Returns the memory of all coefficients, which a decoder of several scans holds at once. */
  coefficientBytes(): number {
    const samples = [...this.components.values()].map((component) => component.samples);
    const perPixel = samples.reduce((sum, each) => sum + each, 0) / Math.max(1, ...samples);
    return 2 * this.width * this.height * perPixel;
  }
}

/** A marker of a JPEG with its payload. */
export interface Segment {
  /** The byte after FF. */
  readonly code: number;
  /** The offset of its FF, the first one of several. */
  readonly start: number;
  /** The start of its payload, after its length. */
  readonly body: number;
  /** The end of its payload; for a scan, the end of its header. */
  readonly bodyEnd: number;
  /** Its end, including the coded pixels of a scan. */
  readonly end: number;
}

/** The marker of a scan. */
const SOS = 0xda;

const SOI = 0xd8;
const EOI = 0xd9;
/** Frames whose scans refine earlier ones, by Huffman and by arithmetic coding. */
const SOF2 = 0xc2;
const SOF10 = 0xca;
/** A comment. */
const COM = 0xfe;
/** The number of lines, which decoders take from the frame header. */
const DNL = 0xdc;

/**
 * Iterates over the segments of a JPEG up to and including its end marker, and skips bytes between segments, and a truncated one at
 * the end. Ends with null if a segment is malformed.
 */
function* readSegments(bytes: Uint8Array): Generator<Segment | null> {
  let at = 2;
  while (at < bytes.length) {
    const start = bytes.indexOf(0xff, at);
    if (start < 0) return;
    const segment = segmentAt(bytes, start);
    // What precedes it may be all pixels.
    if (segment !== null && segment.bodyEnd > bytes.length && isWithoutPixels(segment.code)) return;
    if (segment === null || segment.bodyEnd > bytes.length) return yield null;
    yield segment;
    if (isEnd(segment)) return;
    at = segment.end;
  }
}

/** Whether a segment is the end marker. */
function isEnd({ code }: Segment): boolean {
  return code === EOI;
}

/** Whether a decoder ignores a segment, or needs it for pixels behind it alone. */
function isWithoutPixels(code: number): boolean {
  return isApplication(code) || code === COM || TABLES.includes(code);
}

/** Whether a marker is one of those for programs (APP0 to APP15). */
function isApplication(code: number): boolean {
  return code >= APP0 && code <= 0xef;
}

/** Whether a segment is a frame header (SOF): size, components, process. */
function isFrame({ code }: Segment): boolean {
  return code >= 0xc0 && code <= 0xcf && code !== 0xc4 && code !== 0xc8 && code !== 0xcc;
}

function segmentAt(bytes: Uint8Array, start: number): Segment | null {
  let at = start;
  while (bytes[at] === 0xff) at += 1;
  const code = bytes[at];
  if (code === undefined || code === SOI) return null;
  const body = at + 1;
  if (standsAlone(code)) return { code, start, body, bodyEnd: body, end: body };
  const length = ((bytes[body] ?? 0) << 8) | (bytes[body + 1] ?? 0);
  const bodyEnd = body + length;
  if (length < 2) return null;
  const end = code === SOS ? endOfPixels(bytes, bodyEnd) : bodyEnd;
  return { code, start, body: body + 2, bodyEnd, end };
}

/** Whether a marker has no length: stuffing, TEM, restarts, the end. */
function standsAlone(code: number): boolean {
  return code <= 0x01 || isRestart(code) || code === EOI;
}

function isRestart(code: number): boolean {
  return code >= 0xd0 && code <= 0xd7;
}

/** Returns the end of coded pixels: the first marker that is neither stuffing nor a restart. */
function endOfPixels(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length) {
    if (bytes[at] !== 0xff) {
      at += 1;
      continue;
    }
    const marker = at;
    while (bytes[at] === 0xff) at += 1;
    const code = bytes[at];
    if (code !== undefined && code !== 0 && !isRestart(code)) return marker;
    at += 1;
  }
  return bytes.length;
}

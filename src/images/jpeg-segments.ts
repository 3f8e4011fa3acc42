/** A marker of a JPEG with what belongs to it. */
export interface Segment {
  /** The byte after FF. */
  readonly code: number;
  /** Where its FF is, or the first of several. */
  readonly start: number;
  /** Where what it says begins, after its length. */
  readonly body: number;
  /** Where what it says ends; of a scan, its header. */
  readonly bodyEnd: number;
  /** Where it ends, coded pixels of a scan included. */
  readonly end: number;
}

/** The start of a scan. */
export const SOS = 0xda;

const SOI = 0xd8;
const EOI = 0xd9;

/**
 * The segments of a JPEG up to its end, and that itself. Bytes between segments belong to none. The last is null where
 * the file ends before a segment does, or no picture goes on like that.
 */
export function* segmentsOf(bytes: Uint8Array): Generator<Segment | null> {
  let at = 2;
  while (at < bytes.length) {
    const start = bytes.indexOf(0xff, at);
    if (start < 0) return;
    const segment = segmentAt(bytes, start);
    yield segment;
    if (segment === null || isEnd(segment)) return;
    at = segment.end;
  }
}

/** Whether a segment is the end of the picture. */
export function isEnd({ code }: Segment): boolean {
  return code === EOI;
}

/** Whether a segment is the header of a frame (SOF): size, components, process. */
export function isFrame({ code }: Segment): boolean {
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
  if (length < 2 || bodyEnd > bytes.length) return null;
  const end = code === SOS ? endOfPixels(bytes, bodyEnd) : bodyEnd;
  return { code, start, body: body + 2, bodyEnd, end };
}

/** Markers without a length: stuffing, TEM, restarts, the end. */
function standsAlone(code: number): boolean {
  return code <= 0x01 || isRestart(code) || code === EOI;
}

function isRestart(code: number): boolean {
  return code >= 0xd0 && code <= 0xd7;
}

/** Where the coded pixels from `start` on end: before the first marker that is not one of theirs. */
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

import { bytesOf, holdsAt, textAt, viewOf } from './bytes.ts';

/** A chunk of a WebP. */
export interface RiffChunk {
  readonly type: string;
  readonly start: number;
  /** What it says, from `body` to before `bodyEnd`. */
  readonly body: number;
  readonly bodyEnd: number;
  /** Where it ends, padding included. */
  readonly end: number;
}

/** What a chunk has before what it says: its type and its length. */
export const CHUNK_HEADER = 8;

/** Where the chunks of a WebP begin. */
export const FIRST_CHUNK = 12;

/** Where a WebP ends by its own header; null where it is none, or the file ends before. */
export function endOfWebp(bytes: Uint8Array): number | null {
  if (bytes.length < FIRST_CHUNK || !holdsAt(bytes, 0, 'RIFF') || !holdsAt(bytes, 8, 'WEBP')) return null;
  const end = CHUNK_HEADER + viewOf(bytes).getUint32(4, true);
  return end >= FIRST_CHUNK && end <= bytes.length ? end : null;
}

/** The chunks from `from` to before `to`; the last is null where it would end after that. */
export function* riffChunksOf(bytes: Uint8Array, from: number, to: number): Generator<RiffChunk | null> {
  const view = viewOf(bytes);
  let start = from;
  while (start < to) {
    if (start + CHUNK_HEADER > to) return yield null;
    const body = start + CHUNK_HEADER;
    const bodyEnd = body + view.getUint32(start + 4, true);
    if (bodyEnd > to) return yield null;
    // Some programs leave out the padding of the last.
    const end = Math.min(bodyEnd + ((bodyEnd - body) % 2), to);
    yield { type: textAt(bytes, start, 4), start, body, bodyEnd, end };
    start = end;
  }
}

/** A chunk that says `data`, of even length. */
export function riffChunkOf(type: string, data: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(CHUNK_HEADER + data.length);
  chunk.set(bytesOf(type));
  viewOf(chunk).setUint32(4, data.length, true);
  chunk.set(data, CHUNK_HEADER);
  return chunk;
}

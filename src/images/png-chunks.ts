import { bytesOf, holdsAt, textAt, viewOf } from './bytes.ts';

/** A chunk of a PNG. */
export interface Chunk {
  readonly type: string;
  readonly start: number;
  readonly data: Uint8Array;
  /** Where it ends, checksum included. */
  readonly end: number;
}

/** What every PNG begins with. */
export const PNG_SIGNATURE = '\x89PNG\r\n\x1a\n';

/** The chunks of a PNG up to its IEND; the last is null where the file ends before that does. */
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

/** Whether a file begins as a PNG. */
export function isPng(bytes: Uint8Array): boolean {
  return holdsAt(bytes, 0, PNG_SIGNATURE);
}

/** A chunk that says `data`. */
export function chunkOf(type: string, data: Uint8Array): Uint8Array {
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

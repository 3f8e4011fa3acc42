import { holdsAt, viewOf } from './bytes.ts';
import type { RiffChunk } from './riff-chunks.ts';

/** The sides of a picture. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** What VP8X says. */
export interface Canvas extends Size {
  readonly isAnimated: boolean;
}

/** Bits of VP8X. */
export const FLAGS = { alpha: 0x10, exif: 0x08, xmp: 0x04, animation: 0x02 };

/** The canvas that VP8X tells; null where it is too short for one. */
export function canvasOf(bytes: Uint8Array, { body, bodyEnd }: RiffChunk): Canvas | null {
  if (bodyEnd - body < 10) return null;
  const isAnimated = (viewOf(bytes).getUint8(body) & FLAGS.animation) !== 0;
  return { ...sizeAt(bytes, body + 4), isAnimated };
}

/** Two sides of 24 bits each, told as one less than they are. */
export function sizeAt(bytes: Uint8Array, at: number): Size {
  const view = viewOf(bytes);
  const side = (offset: number) => 1 + view.getUint16(offset, true) + (view.getUint8(offset + 2) << 16);
  return { width: side(at), height: side(at + 3) };
}

/** The size of coded pixels, VP8 or VP8L; null where they are not coded so. */
export function sizeOfPixels(bytes: Uint8Array, { type, body, bodyEnd }: RiffChunk): Size | null {
  const data = viewOf(bytes.subarray(body, bodyEnd));
  if (type === 'VP8 ' && data.byteLength >= 10 && holdsAt(bytes, body + 3, '\x9d\x01\x2a')) {
    return { width: data.getUint16(6, true) & 0x3fff, height: data.getUint16(8, true) & 0x3fff };
  }
  if (type === 'VP8L' && data.byteLength >= 5 && data.getUint8(0) === 0x2f) {
    const bits = data.getUint32(1, true);
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  return null;
}

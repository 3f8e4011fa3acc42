import { createView } from './bytes.ts';
import type { Orientation } from './orientation.ts';

/** The most bytes that rewriting adds: EXIF with an orientation, and an end. */
const ROOM = 96;

/** Builds a file from parts of another. */
export class Rewriting {
  readonly #source: Uint8Array;
  readonly #target: Uint8Array<ArrayBuffer>;
  #length = 0;

  constructor(source: Uint8Array) {
    this.#source = source;
    this.#target = new Uint8Array(source.length + ROOM);
  }

  /** The length so far. */
  get length(): number {
    return this.#length;
  }

  /** Appends bytes of the source, from `start` to before `end`. */
  keep(start: number, end: number): void {
    this.put(this.#source.subarray(start, end));
  }

  /** Appends other bytes. */
  put(bytes: Uint8Array): void {
    this.#target.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Returns a view of the bytes so far, for changes in place. */
  view(): DataView {
    return createView(this.#target.subarray(0, this.#length));
  }

  /** Returns a copy of the file. */
  done(): Uint8Array<ArrayBuffer> {
    return this.#target.slice(0, this.#length);
  }
}

/** The sides of a picture. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A picture's file without metadata. Its size is the stored one, before the orientation applies. */
export interface Stripped extends Size {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly orientation: Orientation;
  /** Whether its colours are CMYK, which the decoders of edge functions do not read. */
  readonly isCmyk: boolean;
  /** How many times a decoder passes over all pixels. */
  readonly scans: number;
  /** The memory that a decoder takes for what it cannot decode row by row. */
  readonly decoderBytes: number;
}

/** A frame of an animation, at a place on its canvas. */
export interface Frame extends Size {
  readonly left: number;
  readonly top: number;
  /** Returns the frame as a picture of its own, without an orientation. */
  file(): Uint8Array<ArrayBuffer>;
}

/** Whether a frame has pixels and lies within its canvas. */
export function isWithin(
  frame: Size & { readonly left: number; readonly top: number },
  canvas: Size,
): boolean {
  const { left, top, width, height } = frame;
  return width > 0 && height > 0 && left + width <= canvas.width && top + height <= canvas.height;
}

import { viewOf } from './bytes.ts';
import type { Orientation } from './orientation.ts';

/** The most bytes that rewriting adds: EXIF with an orientation. */
const ROOM = 64;

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
    return viewOf(this.#target.subarray(0, this.#length));
  }

  /** Returns a copy of the file. */
  done(): Uint8Array<ArrayBuffer> {
    return this.#target.slice(0, this.#length);
  }
}

/** A picture's file without metadata. */
export interface Stripped {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** As stored, before the orientation applies. */
  readonly width: number;
  readonly height: number;
  readonly orientation: Orientation;
  /** Whether its colours are CMYK: apps show them, our decoders do not read them. */
  readonly isCmyk?: boolean;
  /** How many times a decoder passes over all pixels; 1 by default. */
  readonly scans?: number;
}

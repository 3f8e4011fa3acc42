import { viewOf } from './bytes.ts';
import type { Orientation } from './orientation.ts';

/** What a rewritten file may have more than the one it was made of: the EXIF that tells an orientation. */
const ROOM = 64;

/** A file that is made of parts of another. */
export class Rewriting {
  readonly #source: Uint8Array;
  readonly #target: Uint8Array<ArrayBuffer>;
  #length = 0;

  constructor(source: Uint8Array) {
    this.#source = source;
    this.#target = new Uint8Array(source.length + ROOM);
  }

  /** How long it is so far. */
  get length(): number {
    return this.#length;
  }

  /** Goes on with the bytes of the source from `start` to before `end`. */
  keep(start: number, end: number): void {
    this.put(this.#source.subarray(start, end));
  }

  /** Goes on with other bytes. */
  put(bytes: Uint8Array): void {
    this.#target.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** What is written so far, to be changed in place. */
  view(): DataView {
    return viewOf(this.#target.subarray(0, this.#length));
  }

  /** The file: bytes that nothing else refers to. */
  done(): Uint8Array<ArrayBuffer> {
    return this.#target.slice(0, this.#length);
  }
}

/** A picture's file without what is not needed to show it. */
export interface Stripped {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Of the pixels as they are stored, before they are turned. */
  readonly width: number;
  readonly height: number;
  /** How the pixels are to be turned. */
  readonly orientation: Orientation;
  /** Whether its pixels are inks (CMYK), which apps show and our decoders do not read. */
  readonly hasInks?: boolean;
  /** How many times a decoder goes over all pixels, where it is more than once. */
  readonly scans?: number;
}

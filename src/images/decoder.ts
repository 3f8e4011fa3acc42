/** Pixels as RGBA, row by row. */
export interface Pixels {
  readonly data: Uint8Array | Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
}

/**
 * An instance of a decoder for one picture. None is used again: what a picture did to it is gone with it, as is its
 * memory, which never shrinks.
 */
export interface Decoder {
  /** Throws where the file is none that it can read. */
  decode(file: Uint8Array<ArrayBuffer>): Pixels;
}

/** Makes a decoder of a module. */
export type MakeDecoder = (module: WebAssembly.Module) => Promise<Decoder>;

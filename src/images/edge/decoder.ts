/** Pixels as RGBA, row by row. */
export interface Pixels {
  readonly data: Uint8Array | Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
}

/**
 * A decoder for one picture. It is never reused, because its memory never shrinks, and a broken picture may corrupt its state.
 */
export interface Decoder {
  /** Decodes a file. @throws if the decoder cannot read it */
  decode(file: Uint8Array<ArrayBuffer>): Pixels;
}

/** Instantiates a decoder's module. */
export type MakeDecoder = (module: WebAssembly.Module) => Promise<Decoder>;

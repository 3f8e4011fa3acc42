import type { Orientation } from './orientation.ts';

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

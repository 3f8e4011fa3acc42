import { createView, encodeText, holdsAt } from './bytes.ts';

/** The orientation of EXIF: how to turn or mirror stored pixels. 1 leaves them, 5 to 8 swap the sides. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** The prefix of EXIF in JPEGs. Some programs write it in other formats too. */
export const EXIF_PREFIX = 'Exif\0\0';

const ORIENTATION_TAG = 0x0112;
const SHORT = 3;
const ENTRY_BYTES = 12;

/** Returns the orientation in EXIF data, 1 by default. */
export function readOrientation(exif: Uint8Array): Orientation {
  const tiff = holdsAt(exif, 0, EXIF_PREFIX) ? exif.subarray(EXIF_PREFIX.length) : exif;
  const isLittle = holdsAt(tiff, 0, 'II*\0');
  if (!isLittle && !holdsAt(tiff, 0, 'MM\0*')) return 1;
  const entry = findEntry(createView(tiff), isLittle);
  return entry === null ? 1 : readEntry(entry, isLittle);
}

/** Whether an orientation swaps width and height. */
export function swapsSides(orientation: Orientation): boolean {
  return orientation >= 5;
}

/** Returns EXIF data with only an orientation, without the prefix. */
export function createExif(orientation: Orientation): Uint8Array {
  const header = encodeText('MM\0*\0\0\0\x08');
  const entry = [0x01, 0x12, 0, SHORT, 0, 0, 0, 1, 0, orientation, 0, 0];
  return Uint8Array.from([...header, 0, 1, ...entry, 0, 0, 0, 0]);
}

function findEntry(tiff: DataView, isLittle: boolean): DataView | null {
  if (tiff.byteLength < 8) return null;
  const directory = tiff.getUint32(4, isLittle);
  if (directory + 2 > tiff.byteLength) return null;
  const count = tiff.getUint16(directory, isLittle);
  for (let index = 0; index < count; index += 1) {
    const at = directory + 2 + index * ENTRY_BYTES;
    if (at + ENTRY_BYTES > tiff.byteLength) return null;
    if (tiff.getUint16(at, isLittle) === ORIENTATION_TAG) {
      return new DataView(tiff.buffer, tiff.byteOffset + at, ENTRY_BYTES);
    }
  }
  return null;
}

function readEntry(entry: DataView, isLittle: boolean): Orientation {
  if (entry.getUint16(2, isLittle) !== SHORT || entry.getUint32(4, isLittle) !== 1) return 1;
  const value = entry.getUint16(8, isLittle);
  return isOrientation(value) ? value : 1;
}

function isOrientation(value: number): value is Orientation {
  return value >= 1 && value <= 8;
}

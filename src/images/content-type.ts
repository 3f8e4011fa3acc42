import { holdsAt, textAt } from './bytes.ts';

type Signature = readonly [type: string, offset: number, text: string];

const PICTURES: readonly Signature[] = [
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/png', 0, '\x89PNG\r\n\x1a\n'],
  // Behind `RIFF` and the size.
  ['image/webp', 8, 'WEBP'],
];

/** What clients send by mistake. */
const OTHERS: readonly Signature[] = [
  ['image/heif', 4, 'ftyp'],
  ['image/gif', 0, 'GIF8'],
  ['image/tiff', 0, 'II*\0'],
  ['image/tiff', 0, 'MM\0*'],
  ['image/bmp', 0, 'BM'],
  ['application/zip', 0, 'PK\x03\x04'],
];

const PDF = '%PDF-';

/** PDF readers accept this many bytes before the header of a PDF. */
const BEFORE_PDF = 1024;

/** Returns the type of a file by its first bytes, or null for an unknown type. */
export function detectContentType(bytes: Uint8Array): string | null {
  const begins = ([, offset, text]: Signature) => holdsAt(bytes, offset, text);
  // A file that is a picture too is no document.
  const picture = PICTURES.find(begins);
  if (picture) return picture[0];
  if (textAt(bytes, 0, BEFORE_PDF + PDF.length).includes(PDF)) return 'application/pdf';
  return OTHERS.find(begins)?.[0] ?? null;
}

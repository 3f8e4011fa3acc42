import { holdsAt } from './bytes.ts';

/** The content types of uploads. */
export type ContentType = 'image/jpeg' | 'image/png' | 'image/webp' | 'application/pdf';

/** Returns the content type of a file by its magic bytes, or null for any other type. */
export function contentTypeOf(bytes: Uint8Array): ContentType | null {
  if (holdsAt(bytes, 0, '\xff\xd8\xff')) return 'image/jpeg';
  if (holdsAt(bytes, 0, '\x89PNG\r\n\x1a\n')) return 'image/png';
  if (holdsAt(bytes, 0, 'RIFF') && holdsAt(bytes, 8, 'WEBP')) return 'image/webp';
  if (holdsAt(bytes, 0, '%PDF-')) return 'application/pdf';
  return null;
}

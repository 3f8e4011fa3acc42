import { stripJpeg } from './jpeg.ts';
import { stripPng } from './png.ts';
import type { Stripped } from './rewriting.ts';
import { stripWebp } from './webp.ts';

/** The content types of pictures. */
export type ImageType = 'image/jpeg' | 'image/png' | 'image/webp';

const STRIPPERS: Record<ImageType, (bytes: Uint8Array) => Stripped | null> = {
  'image/jpeg': stripJpeg,
  'image/png': stripPng,
  'image/webp': stripWebp,
};

/** Whether a content type is a picture's. */
export function isImageType(contentType: string): contentType is ImageType {
  return Object.hasOwn(STRIPPERS, contentType);
}

/**
 * A picture's file without what is not needed to show it: no EXIF but its orientation, no XMP, comments or thumbnails,
 * nothing after its end. Coded pixels are copied as they are, and what has nothing to lose comes out byte for byte.
 * @returns null where the bytes are no picture of that type
 */
export function strip(bytes: Uint8Array, type: ImageType): Stripped | null {
  return STRIPPERS[type](bytes);
}

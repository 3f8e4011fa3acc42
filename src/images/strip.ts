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

/** Whether a content type is a picture. */
export function isImageType(contentType: string): contentType is ImageType {
  return Object.hasOwn(STRIPPERS, contentType);
}

/**
 * Removes metadata from a picture: EXIF except its orientation, XMP, comments, thumbnails, and bytes after its end. Coded
 * pixels stay the same, and so does a file without metadata.
 * @returns null if the bytes are not a picture of that type
 */
export function strip(bytes: Uint8Array, type: ImageType): Stripped | null {
  return STRIPPERS[type](bytes);
}

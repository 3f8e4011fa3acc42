import { stripJpeg } from './jpeg.ts';
import { listPngFrames, stripPng } from './png.ts';
import type { Frame, Stripped } from './rewriting.ts';
import { listWebpFrames, stripWebp } from './webp.ts';

export type { Frame, Stripped };

/** The content types of pictures. */
export type ImageType = 'image/jpeg' | 'image/png' | 'image/webp';

interface Format {
  readonly strip: (bytes: Uint8Array) => Stripped | null;
  readonly listImageFrames: (bytes: Uint8Array) => Frame[];
}

const FORMATS: Record<ImageType, Format> = {
  'image/jpeg': { strip: stripJpeg, listImageFrames: () => [] },
  'image/png': { strip: stripPng, listImageFrames: listPngFrames },
  'image/webp': { strip: stripWebp, listImageFrames: listWebpFrames },
};

/** Whether a content type is a picture. */
export function isImageType(contentType: string): contentType is ImageType {
  return Object.hasOwn(FORMATS, contentType);
}

/**
 * Removes metadata from a picture: EXIF except its orientation, XMP, comments, thumbnails, and bytes after its end. All that a
 * decoder uses stays, in its order, and a picture of which decoders may make something else is refused: so both files decode to the
 * same pixels. A missing end marker is added; a complete file without metadata stays the same.
 * @returns null if the bytes are not a picture of that type
 */
export function strip(bytes: Uint8Array, type: ImageType): Stripped | null {
  return FORMATS[type].strip(bytes);
}

/** Returns the frames of a stripped animation; none for a still picture. */
export function listImageFrames(bytes: Uint8Array, type: ImageType): Frame[] {
  return FORMATS[type].listImageFrames(bytes);
}

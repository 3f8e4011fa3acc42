import sharp from 'sharp';
import { createImages, type PreparedImage } from '../../src/images/images.ts';
import { createNodePreviews } from '../../src/images/node-previews.ts';

/** Prepares images as a server does. */
export const images = createImages(createNodePreviews());

/** Prepares a picture. @throws if it is refused */
export async function prepared(file: Uint8Array, type: string): Promise<PreparedImage> {
  const answer = await images.prepare(file, type);
  if (typeof answer === 'string') throw new Error(`The picture is ${answer}.`);
  return answer;
}

/** Returns the pixels of a file as stored, without applying its orientation, also of a broken one. */
export async function decoded(file: Uint8Array): Promise<{ data: Buffer; width: number; height: number }> {
  const { data, info } = await sharp(file, { failOn: 'none', ignoreIcc: true, limitInputPixels: false })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

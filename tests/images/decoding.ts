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

/** Returns the milliseconds of CPU that this process took since `start`, which other load on the machine does not lengthen. */
export function cpuSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

import { compiled } from '../../src/images/codecs.ts';
import type { MakeDecoder, Pixels } from '../../src/images/decoder.ts';
import { makeJpegDecoder, makeWebpDecoder } from '../../src/images/emscripten-decoders.ts';
import { createImages, SERVER_MAX_PIXELS } from '../../src/images/images.ts';
import { nodeCodecs } from '../../src/images/node-codecs.ts';
import { makePngDecoder } from '../../src/images/png-decoder.ts';
import type { ImageType } from '../../src/images/strip.ts';

const codecs = nodeCodecs();
const decoders: Record<ImageType, [() => Promise<WebAssembly.Module>, MakeDecoder]> = {
  'image/jpeg': [compiled(codecs.jpeg), makeJpegDecoder],
  'image/png': [compiled(codecs.png), makePngDecoder],
  'image/webp': [compiled(codecs.webp), makeWebpDecoder],
};

/** Prepares images on the calling thread. */
export const images = createImages(codecs, SERVER_MAX_PIXELS);

/** Returns the pixels of a file as stored, without applying its orientation. */
export async function decoded(file: Uint8Array, type: ImageType): Promise<Pixels> {
  const [module, make] = decoders[type];
  const { data, width, height } = (await make(await module())).decode(new Uint8Array(file));
  return { data: Uint8Array.from(data), width, height };
}

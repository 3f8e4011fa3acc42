import makeEncoder from '@jsquash/webp/codec/enc/webp_enc.js';
import { defaultOptions } from '@jsquash/webp/meta.js';
import type { Pixels } from './decoder.ts';
import { moduleOptions } from './emscripten-decoders.ts';

/**
 * Encodes pixels as a WebP without metadata. Instantiates `module` for each picture, because its memory never shrinks.
 * @throws if the encoder cannot encode them
 */
export async function encodeWebp(
  module: WebAssembly.Module,
  { data, width, height }: Pixels,
): Promise<Uint8Array> {
  const { encode } = await makeEncoder(moduleOptions(module));
  const file = encode(new Uint8Array(data), width, height, defaultOptions);
  if (file === null) throw new Error('The encoder returned no file.');
  return new Uint8Array(file);
}

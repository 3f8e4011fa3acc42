import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Codecs } from './codecs.ts';

/** Returns the codecs of the installed packages, which are read on first use. */
export function nodeCodecs(): Codecs {
  return {
    jpeg: () => read('@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm'),
    png: () => read('@jsquash/png/codec/pkg/squoosh_png_bg.wasm'),
    webp: () => read('@jsquash/webp/codec/dec/webp_dec.wasm'),
    webpEncoder: () => read('@jsquash/webp/codec/enc/webp_enc.wasm'),
  };
}

function read(specifier: string): Promise<Uint8Array> {
  return readFile(fileURLToPath(import.meta.resolve(specifier)));
}

import jpeg from '@jsquash/jpeg/codec/dec/mozjpeg_dec.js';
import webp from '@jsquash/webp/codec/dec/webp_dec.js';
import type { MakeDecoder, Pixels } from './decoder.ts';

/** Creates a decoder of JPEGs, which ignores their orientation, and refuses one with missing or broken pixels. */
export const makeJpegDecoder: MakeDecoder = async (module) => {
  const warnings: string[] = [];
  const { decode } = await jpeg(moduleOptions(module, (warning) => warnings.push(warning)));
  return {
    decode: (file) => {
      const pixels = decode(file, false);
      // Of several warnings the decoder prints the first alone. Extraneous bytes are no pixels.
      return requirePixels(warnings.every((warning) => warning.includes('extraneous')) ? pixels : null);
    },
  };
};

/** Creates a decoder of WebPs without animation. */
export const makeWebpDecoder: MakeDecoder = async (module) => {
  const { decode } = await webp(moduleOptions(module));
  return { decode: (file) => requirePixels(decode(file)) };
};

type Options = NonNullable<Parameters<typeof jpeg>[0]>;

/** Makes the glue code instantiate `module` instead of fetching a file, and takes its output. */
export function moduleOptions(module: WebAssembly.Module, onWarning = (_: string) => {}): Options {
  defineImageData();
  return {
    noInitialRun: true,
    locateFile: (path: string) => path,
    instantiateWasm: (imports: WebAssembly.Imports, onInstance: (instance: WebAssembly.Instance) => void) => {
      const instance = new WebAssembly.Instance(module, imports);
      onInstance(instance);
      return instance.exports;
    },
    print: () => {},
    printErr: onWarning,
  } as Options;
}

/** Defines ImageData, which the decoders return. Browsers and Deno have it, Node does not. */
function defineImageData(): void {
  if ('ImageData' in globalThis) return;
  class ImageData implements Pixels {
    readonly data: Uint8ClampedArray;
    readonly width: number;
    readonly height: number;
    constructor(data: Uint8ClampedArray, width: number, height: number) {
      this.data = data;
      this.width = width;
      this.height = height;
    }
  }
  Object.defineProperty(globalThis, 'ImageData', { value: ImageData, configurable: true, writable: true });
}

function requirePixels(pixels: Pixels | null): Pixels {
  if (pixels === null) throw new Error('The decoder returned no pixels.');
  return pixels;
}

import jpeg from '@jsquash/jpeg/codec/dec/mozjpeg_dec.js';
import webp from '@jsquash/webp/codec/dec/webp_dec.js';
import type { MakeDecoder, Pixels } from './decoder.ts';

/** Decodes JPEGs, as they are stored: not turned. */
export const makeJpegDecoder: MakeDecoder = async (module) => {
  const { decode } = await jpeg(optionsOf(module));
  return { decode: (file) => given(decode(file, false)) };
};

/** Decodes WebPs that are not animated. */
export const makeWebpDecoder: MakeDecoder = async (module) => {
  const { decode } = await webp(optionsOf(module));
  return { decode: (file) => given(decode(file)) };
};

type Options = NonNullable<Parameters<typeof jpeg>[0]>;

/** Makes an instance of the module that is there, where the glue would fetch a file; what it says of pictures goes nowhere. */
function optionsOf(module: WebAssembly.Module): Options {
  defineImageData();
  return {
    noInitialRun: true,
    locateFile: (path: string) => path,
    instantiateWasm: (imports: WebAssembly.Imports, use: (instance: WebAssembly.Instance) => void) => {
      const instance = new WebAssembly.Instance(module, imports);
      use(instance);
      return instance.exports;
    },
    print: () => {},
    printErr: () => {},
  } as Options;
}

/** The decoders answer with an ImageData, which browsers have, and Deno, but not Node. */
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

function given(pixels: Pixels | null): Pixels {
  if (pixels === null) throw new Error('The decoder has no pixels.');
  return pixels;
}

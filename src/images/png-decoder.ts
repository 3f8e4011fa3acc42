import type { MakeDecoder, Pixels } from './decoder.ts';

/** What the decoder of @jsquash/png exports, as far as it is used. */
interface PngExports {
  readonly memory: WebAssembly.Memory;
  decode(pointer: number, length: number): number;
  __wbindgen_malloc(length: number, alignment: number): number;
}

/** The import by which it hands over pixels that it has; a hash follows in its name. */
const GIVES_PIXELS = '__wbg_newwithownedu8clampedarrayandsh_';

/**
 * Decodes PNGs. The glue of the package has one instance for good, which is of no use after a file that made it stop:
 * this is the part of it that decoding takes.
 */
export const makePngDecoder: MakeDecoder = async (module) => {
  let pixels: Pixels | null = null;
  const take = (pointer: number, length: number, width: number, height: number): number => {
    const data = new Uint8Array(exports.memory.buffer, pointer >>> 0, length >>> 0);
    pixels = { data, width: width >>> 0, height: height >>> 0 };
    return 0;
  };
  const exports = instantiate(module, take);
  return {
    decode: (file) => {
      const pointer = exports.__wbindgen_malloc(file.length, 1) >>> 0;
      new Uint8Array(exports.memory.buffer).set(file, pointer);
      exports.decode(pointer, file.length);
      if (pixels === null) throw new Error('The decoder has no pixels.');
      return pixels;
    },
  };
};

function instantiate(module: WebAssembly.Module, take: (...numbers: number[]) => number): PngExports {
  const refuse = () => {
    throw new Error('The decoder cannot read this PNG.');
  };
  const imports = WebAssembly.Module.imports(module).map(({ name }) => [
    name,
    name.startsWith(GIVES_PIXELS) ? take : refuse,
  ]);
  const instance = new WebAssembly.Instance(module, { wbg: Object.fromEntries(imports) });
  return instance.exports as unknown as PngExports;
}

import type { MakeDecoder, Pixels } from './decoder.ts';

/** The exports of @jsquash/png's decoder that are used here. */
interface PngExports {
  readonly memory: WebAssembly.Memory;
  decode(pointer: number, length: number): number;
  __wbindgen_malloc(length: number, alignment: number): number;
}

/** The prefix of the import that receives the pixels; a hash follows. */
const PIXELS_IMPORT = '__wbg_newwithownedu8clampedarrayandsh_';

/**
 * Creates a decoder of PNGs. It replaces the package's glue code, which has one instance per process, and a broken file makes
 * that unusable.
 */
export const makePngDecoder: MakeDecoder = async (module) => {
  let pixels: Pixels | null = null;
  const receive = (pointer: number, length: number, width: number, height: number): number => {
    const data = new Uint8Array(exports.memory.buffer, pointer >>> 0, length >>> 0);
    pixels = { data, width: width >>> 0, height: height >>> 0 };
    return 0;
  };
  const exports = instantiate(module, receive);
  return {
    decode: (file) => {
      const pointer = exports.__wbindgen_malloc(file.length, 1) >>> 0;
      new Uint8Array(exports.memory.buffer).set(file, pointer);
      exports.decode(pointer, file.length);
      if (pixels === null) throw new Error('The decoder returned no pixels.');
      return pixels;
    },
  };
};

function instantiate(module: WebAssembly.Module, receive: (...numbers: number[]) => number): PngExports {
  const refuse = () => {
    throw new Error('The decoder cannot read this PNG.');
  };
  const imports = WebAssembly.Module.imports(module).map(({ name }) => [
    name,
    name.startsWith(PIXELS_IMPORT) ? receive : refuse,
  ]);
  const instance = new WebAssembly.Instance(module, { wbg: Object.fromEntries(imports) });
  return instance.exports as unknown as PngExports;
}

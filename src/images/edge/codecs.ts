/** A WebAssembly file, or a function that reads it. */
export type Wasm = Uint8Array | (() => Promise<Uint8Array>);

/** The decoders of @jsquash/jpeg, @jsquash/png and @jsquash/webp, and the encoder of thumbnails. */
export interface Codecs {
  readonly jpeg: Wasm;
  readonly png: Wasm;
  readonly webp: Wasm;
  readonly webpEncoder: Wasm;
}

/** Returns a function that compiles the file on its first call and caches the module. A call after a failure retries. */
export function compiled(wasm: Wasm): () => Promise<WebAssembly.Module> {
  let module: Promise<WebAssembly.Module> | null = null;
  const compile = async () => {
    const bytes = typeof wasm === 'function' ? await wasm() : wasm;
    return WebAssembly.compile(new Uint8Array(bytes));
  };
  return () => {
    module ??= compile().catch((error: unknown) => {
      module = null;
      throw error;
    });
    return module;
  };
}

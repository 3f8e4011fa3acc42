/** A WebAssembly file, or the way to it. */
export type Wasm = Uint8Array | (() => Promise<Uint8Array>);

/** The decoders of @jsquash/jpeg, @jsquash/png and @jsquash/webp. */
export interface Codecs {
  readonly jpeg: Wasm;
  readonly png: Wasm;
  readonly webp: Wasm;
}

/** Compiles a WebAssembly file once, when it is first asked for; a failure is tried again. */
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

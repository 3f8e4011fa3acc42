/** A WebAssembly file. esbuild embeds its bytes in the bundle of the edge functions. */
declare module '*.wasm' {
  const bytes: Uint8Array<ArrayBuffer>;
  export default bytes;
}

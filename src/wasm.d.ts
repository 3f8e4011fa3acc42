/** WebAssembly in the bundle of the edge functions, where esbuild puts its bytes. */
declare module '*.wasm' {
  const bytes: Uint8Array<ArrayBuffer>;
  export default bytes;
}

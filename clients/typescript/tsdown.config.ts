// ES2020 is what Hermes, the engine of React Native, runs without a transform.
export default {
  entry: 'src/index.ts',
  format: ['esm', 'cjs'],
  target: 'es2020',
  platform: 'neutral',
  dts: true,
  // It is an ES module, which `require` of older Node and of Jest cannot load.
  deps: { onlyBundle: ['eventsource-parser'] },
};

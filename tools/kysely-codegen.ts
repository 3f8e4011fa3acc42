import { createRequire, registerHooks } from 'node:module';

// kysely-codegen requires the compiler without declaring it, so it gets that of the tools.
const require = createRequire(import.meta.url);
const compiler = require.resolve('typescript');
registerHooks({
  resolve: (specifier, context, next) => next(specifier === 'typescript' ? compiler : specifier, context),
});
require('../node_modules/kysely-codegen/dist/cli/bin.js');

import { registerHooks } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './db/paths.ts';

const SOURCE = pathToFileURL(path.join(ROOT, 'clients/typescript/src/index.ts')).href;

// As in tsconfig.json: the package need not be built first.
registerHooks({
  resolve: (specifier, context, next) => next(specifier === '@opine/client' ? SOURCE : specifier, context),
});
await import('../clients/typescript/example.ts');

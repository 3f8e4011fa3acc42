import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readDocument } from './clients/document.ts';
import { postmanCollection, postmanEnvironment } from './clients/postman.ts';
import { clientTypes } from './clients/types.ts';
import { ROOT } from './db/paths.ts';
import { runScript } from './db/run-script.ts';

/** Generates parts of `clients/` from docs/openapi.json. `npm ci` runs it. */
async function main(): Promise<void> {
  const document = readDocument();
  const generated = {
    'clients/typescript/src/schema.ts': await clientTypes(document),
    'clients/postman/opine.postman_collection.json': postmanCollection(document),
    'clients/postman/localhost.postman_environment.json': postmanEnvironment(document),
  };
  for (const [name, content] of Object.entries(generated)) {
    const file = path.join(ROOT, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

runScript(main);

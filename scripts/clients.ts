import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readDocument } from './clients/document.ts';
import { postmanCollection, postmanEnvironment } from './clients/postman.ts';
import { clientTypes } from './clients/types.ts';
import { ROOT } from './db/paths.ts';
import { runScript } from './db/run-script.ts';

/** Writes what of `clients/` is made from the OpenAPI document; with `--check` only says whether it is written. */
async function main(): Promise<void> {
  const document = readDocument();
  const generated = {
    'clients/typescript/src/schema.ts': await clientTypes(document),
    'clients/postman/opine.postman_collection.json': postmanCollection(document),
    'clients/postman/localhost.postman_environment.json': postmanEnvironment(document),
  };
  for (const [name, content] of Object.entries(generated)) {
    const file = path.join(ROOT, name);
    if (!process.argv.includes('--check')) writeFileSync(file, content);
    else if (readFileSync(file, 'utf8') !== content) {
      throw new Error(`${name} is not what docs/openapi.json says. Run \`npm run clients\`.`);
    }
  }
}

runScript(main);

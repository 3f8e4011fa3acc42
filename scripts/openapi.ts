import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROUTES } from '../src/domains/all.ts';
import { openApiDocument } from '../src/openapi/document.ts';
import { ROOT } from './db/paths.ts';
import { runScript } from './db/run-script.ts';

const FILE = 'docs/openapi.json';

/** Writes the OpenAPI document of the operations; with `--check` fails if the file differs. */
async function main(): Promise<void> {
  const file = path.join(ROOT, FILE);
  const document = `${JSON.stringify(openApiDocument(ROUTES), null, 2)}\n`;
  if (!process.argv.includes('--check')) return writeFileSync(file, document);
  if (!existsSync(file) || readFileSync(file, 'utf8') !== document) {
    throw new Error(`${FILE} differs from the operations of src/domains. Run \`npm run docs:openapi\`.`);
  }
}

runScript(main);

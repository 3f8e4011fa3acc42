import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROUTES } from '../src/domains/all.ts';
import { openApiDocument } from '../src/openapi/document.ts';
import { ROOT } from './db/paths.ts';
import { runScript } from './db/run-script.ts';

const FILE = 'docs/openapi.json';

/** Writes the OpenAPI document of the operations; with `--check` only says whether it is written. */
async function main(): Promise<void> {
  const file = path.join(ROOT, FILE);
  const document = `${JSON.stringify(openApiDocument(ROUTES), null, 2)}\n`;
  if (!process.argv.includes('--check')) return writeFileSync(file, document);
  if (readIfThere(file) !== document) {
    throw new Error(`${FILE} is not what src/domains says. Run \`npm run docs:openapi\`.`);
  }
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

runScript(main);

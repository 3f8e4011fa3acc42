import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROUTES } from '../src/domains/all.ts';
import { DOCUMENTS, openApiDocument } from '../src/openapi/document.ts';
import { ROOT } from './db/paths.ts';
import { runScript } from './db/run-script.ts';

/** Writes the OpenAPI documents of the operations; with `--check` fails if a file differs. */
async function main(): Promise<void> {
  for (const [name, hasOperation] of Object.entries(DOCUMENTS)) {
    const file = path.join(ROOT, 'docs', name);
    const document = `${JSON.stringify(openApiDocument(ROUTES.filter(hasOperation)), null, 2)}\n`;
    if (!process.argv.includes('--check')) writeFileSync(file, document);
    else if (!existsSync(file) || readFileSync(file, 'utf8') !== document) {
      throw new Error(
        `docs/${name} differs from the operations of src/domains. Run \`npm run docs:openapi\`.`,
      );
    }
  }
}

runScript(main);

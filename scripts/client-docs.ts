import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ROOT } from './db/paths.ts';
import { runScript } from './db/run-script.ts';
import { runProgram } from './run-program.ts';

const PACKAGE = path.join(ROOT, 'clients/typescript');
const PAGE = path.join(ROOT, 'docs/client/README.md');

// typedoc needs the compiler API of TypeScript 5, so it is a package of the client and not of the root.
const TYPEDOC = path.join(PACKAGE, 'node_modules/.bin/typedoc');

/** Writes the page of the client's API, docs/client/README.md; with `--check` fails if it differs. */
async function main(): Promise<void> {
  const page = await renderPage();
  if (!process.argv.includes('--check')) {
    mkdirSync(path.dirname(PAGE), { recursive: true });
    writeFileSync(PAGE, page);
  } else if (!existsSync(PAGE) || readFileSync(PAGE, 'utf8') !== page) {
    throw new Error('docs/client differs from clients/typescript. Run `npm run docs:client`.');
  }
}

/** Returns the page that typedoc makes of the client's exports. @throws Error with typedoc's output if it fails */
async function renderPage(): Promise<string> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'opine-client-docs-'));
  try {
    const { code, stdout, stderr } = await runProgram(TYPEDOC, ['--out', folder], { cwd: PACKAGE });
    if (code !== 0) throw new Error(`typedoc ended with code ${code}: ${stdout}${stderr}`);
    return readFileSync(path.join(folder, 'README.md'), 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

runScript(main);

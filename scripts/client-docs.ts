import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ROOT } from './db/paths.ts';
import { runScript } from './db/run-script.ts';
import { runTool } from './tools.ts';

const PACKAGE = path.join(ROOT, 'clients/typescript');
const PAGE = path.join(ROOT, 'docs/client/README.md');

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
    const { code, output } = await runTool('typedoc', ['--out', folder], { cwd: PACKAGE });
    if (code !== 0) throw new Error(`typedoc ended with code ${code}: ${output}`);
    return readFileSync(path.join(folder, 'README.md'), 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

runScript(main);

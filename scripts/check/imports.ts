import {
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { transform } from 'esbuild';
import { ROOT } from '../db/paths.ts';
import { runTool } from '../tools.ts';

const RULES = path.join(ROOT, '.dependency-cruiser.mjs');

/**
 * Checks the imports of a folder, those of types too, by the rules of `.dependency-cruiser.mjs`.
 *
 * dependency-cruiser parses TypeScript by the compiler's API, which TypeScript 7 lacks, so it gets a copy of the folder
 * as JavaScript.
 * @param root the parent of `src`, `scripts`, `tests`, `tools` and `clients`
 * @returns its report, empty if all rules hold
 */
export async function brokenImportRules(root = ROOT): Promise<string> {
  const copy = mkdtempSync(path.join(os.tmpdir(), 'opine-imports-'));
  try {
    mkdirSync(path.join(copy, 'tools'));
    for (const packages of ['node_modules', 'tools/node_modules'])
      symlinkSync(path.join(ROOT, packages), path.join(copy, packages));
    for (const manifest of ['package.json', 'tools/package.json'])
      copyFileSync(path.join(ROOT, manifest), path.join(copy, manifest));
    const files = globSync('{src,scripts,tests,tools,clients}/**/*.{ts,tsx}', {
      cwd: root,
      exclude: ['**/node_modules', '**/dist'],
    });
    for (const file of files) {
      const target = path.join(copy, file.replace(/\.tsx?$/, '.js'));
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, await asJavaScript(file, readFileSync(path.join(root, file), 'utf8')));
    }
    const folders = new Set(files.map((file) => file.split(path.sep)[0] ?? ''));
    const { code, output } = await runTool('depcruise', ['--config', RULES, ...folders], { cwd: copy });
    return code === 0 ? '' : output.replaceAll(/\.js\b/g, '.ts');
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

const CLIENT = 'clients/typescript/src/index.js';

/**
 * Compiles a module; imports of types become imports of values, which dependency-cruiser sees. `@opine/client` is its source, as in
 * tsconfig.json.
 */
async function asJavaScript(file: string, source: string): Promise<string> {
  const withTypes = source.replaceAll(/^(import|export) type (?=(\{[^}]*\}|\*[^;]*|\w+) from )/gm, '$1 ');
  const { code } = await transform(withTypes, {
    loader: file.endsWith('x') ? 'tsx' : 'ts',
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true, jsx: 'react-jsx' } },
  });
  return code
    .replaceAll(/(\bfrom |\bimport\(?\s*)(["'])(\.[^"']*)\.tsx?\2/g, '$1$2$3.js$2')
    .replaceAll(/\bfrom "@opine\/client"/g, `from "./${path.relative(path.dirname(file), CLIENT)}"`);
}

import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { transform } from 'esbuild';
import { ROOT } from '../db/paths.ts';
import { runTool } from './tools.ts';

const RULES = path.join(ROOT, '.dependency-cruiser.mjs');

/**
 * Holds the imports of a folder against the rules of `.dependency-cruiser.mjs`, those of types as well.
 *
 * dependency-cruiser parses TypeScript by its compiler's API, which TypeScript 7 does not have. So it gets a copy of the
 * folder as JavaScript.
 * @param root the folder that has `src`, `scripts`, `tests` and `clients`
 * @returns what it reports, or nothing where all rules hold
 */
export async function brokenImportRules(root = ROOT): Promise<string> {
  const copy = mkdtempSync(path.join(os.tmpdir(), 'opine-imports-'));
  try {
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'));
    copyFileSync(path.join(ROOT, 'package.json'), path.join(copy, 'package.json'));
    const folders = readdirSync(root).filter((name) => ['src', 'scripts', 'tests', 'clients'].includes(name));
    for (const folder of folders) await copyAsJavaScript(root, copy, folder);
    const { code, output } = await runTool('depcruise', ['--config', RULES, ...folders], { cwd: copy });
    return code === 0 ? '' : output.replaceAll(/\.js\b/g, '.ts');
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

async function copyAsJavaScript(root: string, copy: string, folder: string): Promise<void> {
  const names = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' });
  for (const name of names.filter((name) => name.endsWith('.ts') && !/\b(node_modules|dist)\b/.test(name))) {
    const target = path.join(copy, folder, name.replace(/\.ts$/, '.js'));
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, await asJavaScript(readFileSync(path.join(root, folder, name), 'utf8')));
  }
}

async function asJavaScript(source: string): Promise<string> {
  const withTypes = source.replaceAll(/^(import|export) type (?=(\{[^}]*\}|\*[^;]*|\w+) from )/gm, '$1 ');
  const { code } = await transform(withTypes, {
    loader: 'ts',
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  });
  return code.replaceAll(/(\bfrom |\bimport\(?\s*)(["'])(\.[^"']*)\.ts\2/g, '$1$2$3.js$2');
}

import { execFile } from 'node:child_process';
import { globSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../..');
const PACKAGE = path.join(ROOT, 'clients/typescript');

const manifestOf = (folder: string) => JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
const run = (program: string, ...args: string[]) => promisify(execFile)(program, args, { cwd: PACKAGE });

type Packed = { version: string; files: { path: string }[] };
const NOTHING: Packed = { version: '', files: [] };

test('the npm package has the compiled client and its types, the version of the service, and the documented exports', async () => {
  rmSync(path.join(PACKAGE, 'dist'), { recursive: true, force: true });
  const { stdout } = await run('npm', 'pack', '--dry-run', '--json', '--silent');
  const [{ version, files } = NOTHING] = JSON.parse(stdout) as Packed[];
  const modules = globSync('*.ts', { cwd: path.join(PACKAGE, 'src') }).map((name) => path.parse(name).name);
  expect(modules).toContain('index');
  expect(files.map(({ path }) => path).sort()).toEqual(
    ['LICENSE', 'README.md', 'package.json']
      .concat(modules.flatMap((name) => [`dist/${name}.js`, `dist/${name}.d.ts`]))
      .sort(),
  );
  expect(version).toBe(manifestOf(ROOT).version);
  const { stdout: exported } = await run(
    'node',
    '-e',
    "import('@opine/client').then((all) => console.log(Object.keys(all).join()))",
  );
  expect(exported.trim().split(',').sort()).toEqual([
    'OpineError',
    'RealtimeError',
    'createOpine',
    'inMemory',
  ]);
});

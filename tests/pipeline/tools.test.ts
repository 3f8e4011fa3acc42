import { appendFileSync, chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ROOT } from '../../scripts/db/paths.ts';
import { runProgram } from '../../scripts/run-program.ts';

const INSTALLING = 'Installing the tools, once (1 GB): npm ci --prefix tools\n';
// What npm and the script `postinstall` of tools/package.json leave.
const NPM =
  '#!/bin/sh\n[ "$1 $2" = "ci --prefix" ] && mkdir -p "$3/node_modules" && cp "$3/package-lock.json" "$3/node_modules"\n';

let copy: string;

beforeEach(() => {
  copy = mkdtempSync(path.join(os.tmpdir(), 'opine-tools-'));
  for (const file of ['db/paths.ts', 'db/run-script.ts', 'run-program.ts', 'tools.ts'])
    cpSync(path.join(ROOT, 'scripts', file), path.join(copy, 'scripts', file));
  writeFileSync(
    path.join(copy, 'scripts/use.ts'),
    "import { runScript } from './db/run-script.ts';\nimport { installTools } from './tools.ts';\nrunScript(async () => installTools());\n",
  );
  for (const folder of ['bin', 'tools']) mkdirSync(path.join(copy, folder));
  cpSync(path.join(ROOT, 'tools/package-lock.json'), path.join(copy, 'tools/package-lock.json'));
  npmIs(NPM);
});

afterEach(() => rmSync(copy, { recursive: true }));

function npmIs(program: string): void {
  writeFileSync(path.join(copy, 'bin/npm'), program);
  chmodSync(path.join(copy, 'bin/npm'), 0o755);
}

/** Runs a script that needs the tools. */
function use() {
  const env = { PATH: `${path.join(copy, 'bin')}:/usr/bin:/bin` };
  return runProgram(process.execPath, [path.join(copy, 'scripts/use.ts')], { env });
}

test('a script that needs the tools installs them once, and again after a change of their lock file', async () => {
  expect(await use()).toEqual({ code: 0, stdout: '', stderr: INSTALLING });
  expect(await use()).toEqual({ code: 0, stdout: '', stderr: '' });
  appendFileSync(path.join(copy, 'tools/package-lock.json'), '\n');
  expect(await use()).toEqual({ code: 0, stdout: '', stderr: INSTALLING });
  expect(await use()).toEqual({ code: 0, stdout: '', stderr: '' });
});

test('a script that needs the tools says in a line if npm fails, and installs them next time', async () => {
  npmIs('#!/bin/sh\nmkdir -p "$3/node_modules/half"\nexit 1\n');
  const failure = 'The tools are not installed: npm ci --prefix tools failed.\n';
  expect(await use()).toEqual({ code: 1, stdout: '', stderr: `${INSTALLING}${failure}` });
  npmIs(NPM);
  expect(await use()).toEqual({ code: 0, stdout: '', stderr: INSTALLING });
});

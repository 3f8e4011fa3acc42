import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { brokenImportRules } from '../../scripts/check/imports.ts';

const FILES: Record<string, string> = {
  'src/contract/errors.ts': 'export type Code = string;',
  'src/http/answer.ts':
    "import { Hono } from 'hono';\nimport type {\n  Code,\n} from '../contract/errors.ts';",
  'src/contract/type.ts': "import type {\n  A,\n} from '../app.ts';",
  'src/contract/again.ts': "export type { A } from '../server.ts';",
  'src/contract/http.ts': "import type { Context } from 'hono';",
  'src/app.ts':
    "import './contract/errors.ts';\nimport './http/answer.ts';\nimport pg from 'pg';\nimport 'esbuild';\nimport './misc/a.ts';",
  'src/misc/a.ts': '',
  'src/server.ts': "import './app.ts';\nimport '../scripts/a.ts';",
  'scripts/a.ts': "import '../tests/b.ts';",
  'tests/b.ts': '',
  'tests/db/a.ts': "import '../pages/a.ts';",
  'tests/pages/a.ts': "import '../../tools/a.ts';",
  'tools/a.ts': '',
  'clients/a.ts': "import '../src/app.ts';",
  'clients/b.tsx': "import '../src/app.ts';\nexport const b = <p />;",
  'src/http/unused.ts': '',
  'src/contract/one.ts': "import type { B } from './other.ts';",
  'src/contract/other.ts': "import type { A } from './one.ts';",
  'src/contract/lost.ts': "import './missing.ts';",
};

let lines: string[];

beforeAll(async () => {
  const root = mkdtempSync(path.join(os.tmpdir(), 'opine-rules-'));
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  }
  lines = (await brokenImportRules(root)).split('\n');
  rmSync(root, { recursive: true, force: true });
});

test('the import check accepts imports that follow the rules', () => {
  for (const file of ['src/contract/errors.ts', 'src/http/answer.ts'])
    expect(lines.filter((line) => line.includes(file) && !line.includes('src/app.ts'))).toEqual([]);
});

test.each([
  ['point down only', 'src/contract/type.ts'],
  ['point down only', 'src/contract/again.ts'],
  ['know HTTP', 'src/contract/http.ts'],
  ['know SQL', 'src/app.ts'],
  ['every module has a layer', 'src/app.ts'],
  ['complete without scripts/, tests/ and tools/', 'src/server.ts'],
  ['complete without tests/', 'scripts/a.ts'],
  ['need no tools', 'tests/db/a.ts'],
  ['by its address alone', 'clients/a.ts'],
  ['by its address alone', 'clients/b.ts'],
  ['installed for development', 'src/app.ts'],
  ['nothing is dead', 'src/http/unused.ts'],
  ['no cycles', 'src/contract/one.ts'],
  ['every import resolves', 'src/contract/lost.ts'],
])('the import check reports the rule and the file: %s, %s', (rule, file) => {
  expect(lines.filter((line) => line.includes(rule) && line.includes(file))).not.toEqual([]);
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { brokenImportRules } from '../../scripts/check/imports.ts';

const ENTRY = { 'src/server.ts': "import './app.ts';", 'src/app.ts': "import './contract/errors.ts';" };
const LEAF = { 'src/contract/errors.ts': 'export type Code = string;' };

/** What the rules say of files given as path and text. */
function report(files: Record<string, string>): Promise<string> {
  const root = mkdtempSync(path.join(os.tmpdir(), 'opine-rules-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, text] of Object.entries({ ...ENTRY, ...LEAF, ...files })) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  }
  return brokenImportRules(root);
}

test('imports that keep the rules are let be', async () => {
  expect(
    await report({
      'src/app.ts': "import { Hono } from 'hono';\nimport type { Answer } from './http/answer.ts';",
      'src/http/answer.ts':
        "import type {\n  Code,\n} from '../contract/errors.ts';\nexport type Answer = Code;",
    }),
  ).toBe('');
});

test.each([
  ['point down only', { 'src/contract/errors.ts': "import type {\n  A,\n} from '../app.ts';" }],
  ['point down only', { 'src/contract/errors.ts': "export type { A } from '../server.ts';" }],
  ['knows HTTP', { 'src/contract/errors.ts': "import type { Context } from 'hono';" }],
  ['know SQL', { 'src/app.ts': "import './contract/errors.ts';\nimport pg from 'pg';" }],
  ['every module has a layer', { 'src/app.ts': "import './misc/a.ts';", 'src/misc/a.ts': '' }],
  [
    'complete without scripts/ and tests/',
    { 'src/server.ts': "import './app.ts';\nimport '../scripts/a.ts';", 'scripts/a.ts': '' },
  ],
  ['complete without tests/', { 'scripts/a.ts': "import '../tests/b.ts';", 'tests/b.ts': '' }],
  ['installed for development', { 'src/app.ts': "import './contract/errors.ts';\nimport 'esbuild';" }],
  ['nothing is dead', { 'src/http/unused.ts': '' }],
  [
    'no cycles',
    {
      'src/contract/errors.ts': "import type { B } from './b.ts';",
      'src/contract/b.ts': "import type { Code } from './errors.ts';",
    },
  ],
  ['every import resolves', { 'src/contract/errors.ts': "import './missing.ts';" }],
])('a broken rule is named: %s', async (rule, files) => {
  expect(await report(files)).toContain(rule);
});

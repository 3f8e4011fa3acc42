import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { brokenImportRules } from '../../scripts/check/imports.ts';

const ENTRY = { 'src/server.ts': "import './app.ts';", 'src/app.ts': "import './contract/errors.ts';" };
const LEAF = { 'src/contract/errors.ts': 'export type Code = string;' };

/** Returns the broken rules of files, given by path and text. */
async function report(files: Record<string, string>): Promise<string> {
  const root = mkdtempSync(path.join(os.tmpdir(), 'opine-rules-'));
  for (const [name, text] of Object.entries({ ...ENTRY, ...LEAF, ...files })) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  }
  try {
    return await brokenImportRules(root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

test('the import check accepts imports that follow the rules', async () => {
  expect(
    await report({
      'src/app.ts': "import { Hono } from 'hono';\nimport type { Answer } from './http/answer.ts';",
      'src/http/answer.ts':
        "import type {\n  Code,\n} from '../contract/errors.ts';\nexport type Answer = Code;",
    }),
  ).toBe('');
});

const BROKEN: Record<string, string> = {
  'src/contract/type.ts': "import type {\n  A,\n} from '../app.ts';",
  'src/contract/again.ts': "export type { A } from '../server.ts';",
  'src/contract/http.ts': "import type { Context } from 'hono';",
  'src/app.ts':
    "import './contract/errors.ts';\nimport pg from 'pg';\nimport 'esbuild';\nimport './misc/a.ts';",
  'src/misc/a.ts': '',
  'src/server.ts': "import './app.ts';\nimport '../scripts/a.ts';",
  'scripts/a.ts': "import '../tests/b.ts';",
  'tests/b.ts': '',
  'clients/a.ts': "import '../src/app.ts';",
  'src/http/unused.ts': '',
  'src/contract/one.ts': "import type { B } from './other.ts';",
  'src/contract/other.ts': "import type { A } from './one.ts';",
  'src/contract/lost.ts': "import './missing.ts';",
};

describe('the import check reports the rule and the file', () => {
  let lines: string[];

  beforeAll(async () => {
    lines = (await report(BROKEN)).split('\n');
  });

  test.each([
    ['point down only', 'src/contract/type.ts'],
    ['point down only', 'src/contract/again.ts'],
    ['know HTTP', 'src/contract/http.ts'],
    ['know SQL', 'src/app.ts'],
    ['every module has a layer', 'src/app.ts'],
    ['complete without scripts/ and tests/', 'src/server.ts'],
    ['complete without tests/', 'scripts/a.ts'],
    ['by its address alone', 'clients/a.ts'],
    ['installed for development', 'src/app.ts'],
    ['nothing is dead', 'src/http/unused.ts'],
    ['no cycles', 'src/contract/one.ts'],
    ['every import resolves', 'src/contract/lost.ts'],
  ])('%s: %s', (rule, file) => {
    expect(lines.filter((line) => line.includes(rule) && line.includes(file))).not.toEqual([]);
  });
});

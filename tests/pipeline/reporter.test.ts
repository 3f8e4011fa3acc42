import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from '../../scripts/db/paths.ts';

const REPORTER = path.join(ROOT, 'tests/support/reporter.ts');
const VITEST = path.join(
  path.dirname(createRequire(import.meta.url).resolve('vitest/package.json')),
  'vitest.mjs',
);

/** Runs vitest on test files, and returns its last line and exit code. */
async function run(files: Record<string, string>, options: Record<string, unknown> = {}) {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'opine-reporter-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(directory, 'node_modules'));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(directory, name), text);
  const config = { test: { include: ['*.test.mjs'], reporters: ['default', REPORTER], ...options } };
  writeFileSync(path.join(directory, 'vitest.config.mjs'), `export default ${JSON.stringify(config)};`);
  return new Promise<{ last: string | undefined; code: unknown }>((resolve) => {
    execFile(process.execPath, [VITEST, 'run'], { cwd: directory }, (error, stdout) => {
      resolve({ last: stdout.trimEnd().split('\n').at(-1), code: error?.code ?? 0 });
    });
  });
}

test('the last line of a test run counts passed, failed and skipped tests, broken files, hooks and errors outside of tests', async () => {
  const { last, code } = await run({
    'one.test.mjs': `import { test } from 'vitest'; test('a', () => {}); test.skip('b', () => {}); test('c', () => {});`,
    'failing.test.mjs': `import { test } from 'vitest'; test('d', () => { throw new Error('no'); });`,
    'not-loading.test.mjs': `import './missing.mjs';`,
    'empty.test.mjs': `export {};`,
    'hook.test.mjs': `import { beforeAll, test } from 'vitest'; beforeAll(() => { throw new Error('no'); }); test('e', () => {});`,
    'error.test.mjs': `import { test } from 'vitest'; test('f', () => {}); setTimeout(() => { throw new Error('no'); });`,
  });
  expect({ last, code }).toEqual({ last: '3 passed, 5 failed, 2 skipped', code: 1 });
});

test('the last line stays last after a global teardown, and leaves out skipped tests if there are none', async () => {
  const files = {
    'setup.mjs': `export default () => () => { console.log('torn down'); };`,
    'one.test.mjs': `import { test } from 'vitest'; test('a', () => {});`,
  };
  expect(await run(files, { globalSetup: ['setup.mjs'] })).toEqual({ last: '1 passed, 0 failed', code: 0 });
});

test.each([
  ['a set-up that fails', { 'setup.mjs': `throw new Error('no');` }, { globalSetup: ['setup.mjs'] }],
  ['a run without test files', {}, {}],
])('%s counts as a failure', async (_subject, files, options) => {
  expect(await run(files, options)).toEqual({ last: '0 passed, 1 failed', code: 1 });
});

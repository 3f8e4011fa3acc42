import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ROOT } from '../../scripts/db/paths.ts';
import { SHARE } from '../support/depth.ts';

const SCRIPT = path.join(ROOT, 'tests/mutations/run.ts');

test('each fault of the list is noticed by the test that it names', async () => {
  const run = promisify(execFile)(process.execPath, [SCRIPT, String(SHARE)]);
  const { stdout, stderr } = await run.catch((error: { stdout: string; stderr: string }) => error);
  const lines = stdout.trim().split('\n');
  expect(lines.filter((line) => line.startsWith('SURVIVED'))).toEqual([]);
  expect(lines.at(-1), stderr).toMatch(/^[1-9]\d* faults, 0 survived$/);
});

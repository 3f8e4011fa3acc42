import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { SUPABASE_DIRECTORY } from '../../scripts/db/paths.ts';
import { requireProgram } from '../../scripts/find-program.ts';
import { createPgtapDatabase } from '../support/database.ts';

test('pg_prove, which `supabase test db` runs, passes on supabase/tests unchanged', async () => {
  const database = await createPgtapDatabase();
  onTestFinished(() => database.drop());
  const program = requireProgram('pg_prove');
  const args = ['--psql-bin', requireProgram('psql'), '--dbname', database.superuserUrl];
  const { stdout } = await promisify(execFile)(program, [...args, '--recurse', '--ext', '.sql', '.'], {
    cwd: `${SUPABASE_DIRECTORY}/tests`,
    env: { ...process.env, PGOPTIONS: '-c search_path=public,extensions' },
    maxBuffer: 16 * 1024 * 1024,
  }).catch((error: { stdout: string; stderr: string }) => ({ stdout: `${error.stdout}${error.stderr}` }));
  expect(stdout).toMatch(/^All tests successful\.$[\s\S]*^Result: PASS$/m);
}, 300_000);

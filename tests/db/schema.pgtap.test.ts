import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SUPABASE_DIRECTORY } from '../../scripts/db/paths.ts';
import { findProgram, requireProgram } from '../../scripts/find-program.ts';
import { createPgtapDatabase, type TestDatabase } from '../support/database.ts';
import { runTap } from '../support/pgtap.ts';
import { keepAutovacuumAway } from '../support/plans.ts';

const DIRECTORY = path.join(SUPABASE_DIRECTORY, 'tests');
const find = process.env.CI === 'true' ? requireProgram : findProgram;
const [pgProve, psql] = [find('pg_prove'), find('psql')];
// `supabase test db` runs pg_prove. A machine without it runs the same files through one connection.
const usesPgProve = pgProve !== null && psql !== null;
const files = globSync(usesPgProve ? '**/*.test.sql' : '*/*.test.sql', { cwd: DIRECTORY }).sort();

let database: TestDatabase;
// Shared by all files, because pgTAP's functions are compiled once for each connection.
let client: pg.Client;

beforeAll(async () => {
  database = await createPgtapDatabase();
  await keepAutovacuumAway(database);
  client = new pg.Client({ connectionString: database.superuserUrl });
  await client.connect();
});

afterAll(async () => {
  await client?.end();
  await database?.drop();
});

test.each(files)('%s passes', async (file) => {
  if (usesPgProve) expect(await runPgProve(pgProve, psql, file)).toMatch(/^Result: PASS$/m);
  else expect(await runTap(client, readFileSync(path.join(DIRECTORY, file), 'utf8'))).toEqual([]);
});

/** Returns what pg_prove prints, which ends with the failed assertions and the result. */
async function runPgProve(program: string, client: string, file: string): Promise<string> {
  const args = ['--psql-bin', client, '--dbname', database.superuserUrl, file];
  const options = { cwd: DIRECTORY, env: { ...process.env, PGOPTIONS: '-c search_path=public,extensions' } };
  const run = promisify(execFile)(program, args, options);
  const { stdout, stderr } = await run.catch((error: { stdout: string; stderr: string }) => error);
  return `${stderr}${stdout}`;
}

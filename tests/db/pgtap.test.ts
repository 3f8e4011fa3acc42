import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SUPABASE_DIRECTORY } from '../../scripts/db/paths.ts';
import { keepAutovacuumAway } from '../support/autovacuum.ts';
import { createPgtapDatabase, type TestDatabase } from '../support/database.ts';
import { runTap } from '../support/tap.ts';

const DIRECTORY = path.join(SUPABASE_DIRECTORY, 'tests');

let database: TestDatabase;
// Shared by all files: a new connection would compile every function of pgTAP again.
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

test.each(globSync('*/*.test.sql', { cwd: DIRECTORY }).sort())('%s passes', async (file) => {
  const problems = await runTap(client, readFileSync(path.join(DIRECTORY, file), 'utf8'));
  expect(problems).toEqual([]);
});

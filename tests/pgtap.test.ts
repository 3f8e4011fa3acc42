import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SUPABASE_DIRECTORY } from '../scripts/db/paths.ts';
import { createPgtapDatabase, type TestDatabase } from './harness/database.ts';
import { runTap } from './harness/tap.ts';

const DIRECTORY = path.join(SUPABASE_DIRECTORY, 'tests');

// Tables that it has seen empty are planned for as if they were, with thousands of rows that a test has not committed.
const KEEP_AUTOVACUUM_AWAY = `
do $$
declare
  v_table regclass;
begin
  for v_table in
    select oid from pg_class where relkind = 'r' and relnamespace::regnamespace::text in ('app', 'gateway', 'staff')
  loop
    execute format('alter table %s set (autovacuum_enabled = false)', v_table);
  end loop;
end
$$`;

let database: TestDatabase;
// One for all files: a new connection would compile every function of pgTAP again.
let client: pg.Client;

beforeAll(async () => {
  database = await createPgtapDatabase();
  client = new pg.Client({ connectionString: database.superuserUrl });
  await client.connect();
  await client.query(KEEP_AUTOVACUUM_AWAY);
});

afterAll(async () => {
  await client?.end();
  await database?.drop();
});

test.each(globSync('**/*.test.sql', { cwd: DIRECTORY }).sort())('%s', async (file) => {
  const problems = await runTap(client, readFileSync(path.join(DIRECTORY, file), 'utf8'));
  expect(problems).toEqual([]);
});

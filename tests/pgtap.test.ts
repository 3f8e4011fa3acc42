import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SUPABASE_DIRECTORY } from '../scripts/db/paths.ts';
import { createPgtapDatabase, type TestDatabase } from './harness/database.ts';
import { runTap } from './harness/tap.ts';

const DIRECTORY = path.join(SUPABASE_DIRECTORY, 'tests');

let database: TestDatabase;

beforeAll(async () => {
  database = await createPgtapDatabase();
});

afterAll(() => database.drop());

test.each(globSync('**/*.test.sql', { cwd: DIRECTORY }).sort())('%s', async (file) => {
  const problems = await runTap(database.superuserUrl, readFileSync(path.join(DIRECTORY, file), 'utf8'));
  expect(problems).toEqual([]);
});

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { advisorWarnings } from '../../scripts/db/advisors.ts';
import { driftOf, planChanges } from '../../scripts/db/compare.ts';
import { areTypesCurrent, TYPES_FILE } from '../../scripts/db/types.ts';
import { withClient } from '../../scripts/local/connection.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { copySupabase } from './supabase-copy.ts';

const COLUMN = 'alter table app.users add column favourite_colour text;';

/** Creates a database, and drops it after the test. */
async function temporaryDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  return database;
}

describe('the comparison of schemas and migrations', () => {
  test('reports edits of the schemas alone and of migrations alone, even an option of a membership that pg-delta does not see', async () => {
    const copy = copySupabase();
    copy.write('schemas/users_colour.sql', COLUMN);
    copy.write('schemas/worker.sql', 'grant authenticated to opine_worker with inherit false, set false;');
    copy.write('migrations/29991231000000_shade.sql', COLUMN.replace('colour', 'shade'));
    expect(await driftOf(copy.directory)).toEqual([
      '+ membership of opine_worker in authenticated: admin f, inherit f, set f',
      'ALTER TABLE "app"."users" DROP COLUMN "favourite_shade"',
      'ALTER TABLE "app"."users" ADD COLUMN "favourite_colour" text',
    ]);
  });

  test('fails if a database has an object that pg-delta does not see', async () => {
    const [migrated, declared] = [await temporaryDatabase(), await temporaryDatabase()];
    const sql = 'create statistics app.users_seen on id, phone from app.users';
    await withClient(declared.urlAs('postgres'), (client) => client.query(sql));
    const comparison = planChanges(migrated.urlAs('postgres'), declared.urlAs('postgres'));
    await expect(comparison).rejects.toThrow('users_seen');
  });
});

test('the check of src/db/types.ts accepts the committed file and rejects an edited one', async () => {
  const ownerUrl = (await temporaryDatabase()).urlAs('postgres');
  expect(await areTypesCurrent(ownerUrl)).toBe(true);

  const edited = path.join(copySupabase().directory, 'types.ts');
  writeFileSync(edited, readFileSync(TYPES_FILE, 'utf8').replace('phone: string', 'phone: number'));
  expect(await areTypesCurrent(ownerUrl, edited)).toBe(false);
});

test('the advisors have no warnings about the committed schemas, and warn of an open table in schema api', async () => {
  const database = await temporaryDatabase();
  const ownerUrl = database.urlAs('postgres');
  expect(await advisorWarnings(database.superuserUrl, ownerUrl)).toEqual([]);

  const sql = 'create table api.open_to_all (id uuid primary key); grant select on api.open_to_all to anon;';
  await withClient(ownerUrl, (owner) => owner.query(sql));
  expect(await advisorWarnings(database.superuserUrl, ownerUrl)).toEqual([
    expect.stringContaining('`api.open_to_all`'),
  ]);
});

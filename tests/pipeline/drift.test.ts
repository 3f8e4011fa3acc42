import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { planChanges } from '../../scripts/db/compare.ts';
import { driftOf } from '../../scripts/db/drift.ts';
import { areTypesCurrent, TYPES_FILE } from '../../scripts/db/types.ts';
import { withClient } from '../../scripts/local/connection.ts';
import { createTestDatabase } from '../support/database.ts';
import { copySupabase } from './supabase-copy.ts';

const COLUMN = 'alter table app.users add column favourite_colour text;';

describe('schemas and migrations differ', () => {
  test('where only the schemas are edited, even in a part of a role that pg-delta does not see', async () => {
    const copy = copySupabase();
    copy.write('schemas/users_colour.sql', COLUMN);
    copy.write('schemas/worker.sql', 'grant authenticated to opine_worker with inherit false, set false;');
    expect(await driftOf(copy.directory)).toEqual([
      '+ membership of opine_worker in authenticated: admin f, inherit f, set f',
      'ALTER TABLE "app"."users" ADD COLUMN "favourite_colour" text',
    ]);
  });

  test('where only a migration is added', async () => {
    const copy = copySupabase();
    copy.write('migrations/29991231000000_colour.sql', COLUMN);
    expect(await driftOf(copy.directory)).toEqual([
      'ALTER TABLE "app"."users" DROP COLUMN "favourite_colour"',
    ]);
  });
});

test('databases are not compared where one has what pg-delta cannot see', async () => {
  const [migrated, declared] = [await createTestDatabase(), await createTestDatabase()];
  onTestFinished(() => migrated.drop());
  onTestFinished(() => declared.drop());
  const sql = 'create statistics app.users_seen on id, phone from app.users';
  await withClient(declared.urlAs('postgres'), (client) => client.query(sql));
  const comparison = planChanges(migrated.urlAs('postgres'), declared.urlAs('postgres'));
  await expect(comparison).rejects.toThrow('users_seen');
});

test('the types of tables are current as they are committed, and not once somebody edits them', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const ownerUrl = database.urlAs('postgres');
  expect(await areTypesCurrent(ownerUrl)).toBe(true);

  const edited = path.join(copySupabase().directory, 'types.ts');
  writeFileSync(edited, readFileSync(TYPES_FILE, 'utf8').replace('phone: string', 'phone: number'));
  expect(await areTypesCurrent(ownerUrl, edited)).toBe(false);
});

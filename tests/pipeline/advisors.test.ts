import { expect, onTestFinished, test } from 'vitest';
import { advisorWarnings } from '../../scripts/db/advisors.ts';
import { withClient } from '../../scripts/local/connection.ts';
import { createTestDatabase } from '../support/database.ts';

test('the advisors see the exposed schema, and are content with what is committed', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const ownerUrl = database.urlAs('postgres');
  expect(await advisorWarnings(database.superuserUrl, ownerUrl)).toEqual([]);

  const sql = 'create table api.open_to_all (id uuid primary key); grant select on api.open_to_all to anon;';
  await withClient(ownerUrl, (owner) => owner.query(sql));
  expect(await advisorWarnings(database.superuserUrl, ownerUrl)).toEqual([
    expect.stringContaining('`api.open_to_all`'),
  ]);
});

import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SUPABASE_DIRECTORY } from '../../scripts/db/paths.ts';
import { withClient } from '../../scripts/local/connection.ts';
import { createTestDatabase } from '../support/database.ts';
import { installPgtap, runTap } from '../support/pgtap.ts';
import { partitionTables } from '../support/plans.ts';

const TESTS = path.join(SUPABASE_DIRECTORY, 'tests');

/** pgTAP tests of policies, triggers, keys, folds and pruning of the two tables. */
const RULES = '{votes/{tables,fold},notifications/{tables,emit,inbox,pruning}}.test.sql';

test('the pgTAP tests of votes and notifications pass on partitions', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  await partitionTables(database);
  await installPgtap(database.superuserUrl);
  const files = globSync(RULES, { cwd: TESTS });
  expect(files).toHaveLength(6);
  await withClient(database.superuserUrl, async (client) => {
    for (const file of files) {
      const problems = await runTap(client, readFileSync(path.join(TESTS, file), 'utf8'));
      expect([file, problems]).toEqual([file, []]);
    }
  });
});

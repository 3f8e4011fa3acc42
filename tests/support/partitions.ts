import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../scripts/db/paths.ts';
import { withClient } from '../../scripts/local/connection.ts';
import type { TestDatabase } from './database.ts';

/** The tables that ops/partitioning takes apart. */
export const PARTED = ['vote_receipts', 'notifications'] as const;

/** The owner of `database` takes its large tables apart, as ops/partitioning says. */
export async function partition(database: TestDatabase): Promise<void> {
  for (const table of PARTED) {
    const script = readFileSync(path.join(ROOT, `ops/partitioning/${table}.sql`), 'utf8');
    await withClient(database.urlAs('postgres'), (owner) => owner.query(script));
  }
}

import { readdirSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../db/paths.ts';
import { migrateUp } from '../db/supabase-cli.ts';
import { withClient } from './connection.ts';

const MIGRATIONS = path.join(ROOT, 'supabase/migrations');
const MIGRATION_FILE = /^(\d+)_.*\.sql$/;

/**
 * The migrations that a database has not had yet.
 * @param url connection URL of a role that may read the migration history
 * @returns file names of `supabase/migrations`, oldest first
 */
export async function pendingMigrations(url: string): Promise<string[]> {
  const applied = await withClient(url, async (client) => {
    const history = await client.query(
      `select to_regclass('supabase_migrations.schema_migrations') is not null as exists`,
    );
    if (!history.rows[0]?.exists) return [];
    const found = await client.query('select version from supabase_migrations.schema_migrations');
    return found.rows.map((row) => String(row.version));
  });
  return readdirSync(MIGRATIONS)
    .filter((file) => isPending(file, applied))
    .sort();
}

/**
 * Brings a database up to date by the Supabase CLI, which is not even started where nothing is pending.
 * @param ownerUrl connection URL of the role `postgres`
 * @returns the file names applied
 * @throws Error with what the CLI wrote where a migration fails; the ones before it stay applied
 */
export async function migrate(ownerUrl: string): Promise<string[]> {
  const pending = await pendingMigrations(ownerUrl);
  if (pending.length > 0) await migrateUp(ownerUrl, ROOT);
  return pending;
}

function isPending(file: string, applied: string[]): boolean {
  const version = MIGRATION_FILE.exec(file)?.[1];
  return version !== undefined && !applied.includes(version);
}

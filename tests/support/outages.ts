import { sql } from 'kysely';
import { withClient } from '../../scripts/local/connection.ts';
import type { TestDatabase } from './database.ts';

/** Runs `use` while nobody can connect to `database`, and ends every connection there is before. */
export async function withoutDatabase<T>(database: TestDatabase, use: () => Promise<T>): Promise<T> {
  const { name } = database;
  const elsewhere = new URL(database.superuserUrl);
  elsewhere.pathname = '/postgres';
  return withClient(elsewhere.href, async (client) => {
    await client.query(`alter database ${name} with allow_connections false`);
    try {
      // Waited for: a pool that has not seen its connection end yet would still give it to whoever asks.
      await client.query('select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1', [
        name,
      ]);
      return await use();
    } finally {
      await client.query(`alter database ${name} with allow_connections true`);
    }
  });
}

/** Runs `use` while Postgres refuses every new row of `table`, in words that quote the row. */
export async function whileRowsAreRefused<T>(
  { superuser }: TestDatabase,
  table: string,
  use: () => Promise<T>,
): Promise<T> {
  await sql`alter table ${sql.table(table)} add constraint refused_by_test check (false) not valid`.execute(
    superuser,
  );
  try {
    return await use();
  } finally {
    await sql`alter table ${sql.table(table)} drop constraint refused_by_test`.execute(superuser);
  }
}

/** Runs `use` while `table` has no column of that name. */
export async function withoutColumn<T>(
  { superuser }: TestDatabase,
  table: string,
  column: string,
  use: () => Promise<T>,
): Promise<T> {
  const rename = (from: string, to: string) =>
    sql`alter table ${sql.table(table)} rename column ${sql.ref(from)} to ${sql.ref(to)}`.execute(superuser);
  await rename(column, 'renamed_by_test');
  try {
    return await use();
  } finally {
    await rename('renamed_by_test', column);
  }
}

/** Runs `use` while whoever reads `table` waits. */
export function whileNobodyReads<T>(
  { superuser }: TestDatabase,
  table: string,
  use: () => Promise<T>,
): Promise<T> {
  return superuser.transaction().execute(async (transaction) => {
    await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(transaction);
    return use();
  });
}

import { sql } from 'kysely';
import type pg from 'pg';
import { withClient } from '../../scripts/local/connection.ts';
import type { TestDatabase } from './database.ts';

/** Closes all connections to `database`, and runs `use` while nobody can open one. */
export async function withoutDatabase<T>(database: TestDatabase, use: () => Promise<T>): Promise<T> {
  const { name } = database;
  const elsewhere = new URL(database.superuserUrl);
  elsewhere.pathname = '/postgres';
  return withClient(elsewhere.href, async (client) => {
    await client.query(`alter database ${name} with allow_connections false`);
    try {
      await closeConnections(client, name);
      return await use();
    } finally {
      await client.query(`alter database ${name} with allow_connections true`);
    }
  });
}

/** Returns when the last connection has ended, so that no pool lends one that it has not seen end. */
async function closeConnections(client: pg.Client, database: string): Promise<void> {
  // A connection that is being opened is not in pg_stat_activity yet, but holds a lock on its database.
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_locks
     where classid = 'pg_database'::regclass and objid = (select oid from pg_database where datname = $1)`,
    [database],
  );
  await client.query(
    `select pg_terminate_backend(pid, 10000)
     from (select unnest($2::integer[]) union select pid from pg_stat_activity where datname = $1) as open (pid)`,
    [database, rows.map(({ pid }) => pid)],
  );
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

import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { withClient } from '../local/connection.ts';
import type { Database } from './world.ts';

/**
 * Runs a function with a superuser's connection once nobody else is connected: a backend tells what it has counted
 * for the statistics at the latest when it ends.
 */
export function onceAlone<T>(
  { superuserUrl, name }: Database,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  return withClient(superuserUrl, async (client) => {
    while (!(await isAlone(client, name))) await pause(50);
    return use(client);
  });
}

/** How many transactions of a database rolled back. */
export function rollbacksOf(database: Database): Promise<number> {
  return onceAlone(database, async (client) => {
    const { rows } = await client.query<{ rollbacks: string }>(
      'select d.xact_rollback as rollbacks from pg_stat_database as d where d.datname = $1',
      [database.name],
    );
    return Number(rows[0]?.rollbacks);
  });
}

async function isAlone(client: pg.Client, database: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from pg_stat_activity as a
     where a.datname = $1 and a.pid <> pg_backend_pid() and a.backend_type = 'client backend'`,
    [database],
  );
  return rowCount === 0;
}

import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { DB } from './types.ts';

/** The worker's database, by its own login; connects when first used, on two connections at most. */
export function openWorkerDatabase(url: string, onIdleError: (error: Error) => void): Kysely<DB> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 2,
    connectionTimeoutMillis: 5_000,
    application_name: 'opine-worker',
  });
  pool.on('error', onIdleError);
  // A query tells of its lost connection itself; the client's event on top of that would end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
}

import { Kysely, PostgresDialect } from 'kysely';
import { createPool } from './pool.ts';
import type { DB } from './types.ts';

/** The worker's database at `url`, by its own login. */
export function openWorkerDatabase(url: string, onIdleError: () => void): Kysely<DB> {
  const pool = createPool({ url, size: 4, name: 'opine-worker', onIdleError });
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
}

import pg from 'pg';
import { outsideTurns } from '../watch/turn.ts';
import type { PoolUse } from '../watch/watch.ts';

/** How to reach the database by one login. */
export interface PoolOptions {
  readonly url: string;
  /** The most connections at once. */
  readonly size: number;
  /** What `pg_stat_activity` shows. */
  readonly name: string;
  /** Told of a connection lost while nobody used it; the pool replaces it. */
  readonly onIdleError: () => void;
  /** How long to wait for a connection, and then for an answer; without it 5 seconds, and as long as Postgres lets it run. */
  readonly patienceMs?: number;
}

/** Runs one statement. A connection on which Postgres refused something is as good as before: the pool keeps it. */
export async function query<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  text: string,
  values: unknown[],
): Promise<pg.QueryResult<Row>> {
  const client = await pool.connect();
  let isLost = false;
  try {
    return await client.query<Row>({ text, values });
  } catch (error) {
    isLost = !(error instanceof pg.DatabaseError) || error.severity === 'FATAL';
    throw error;
  } finally {
    client.release(isLost);
  }
}

/** A pool of connections, each made when it is first needed. */
export function createPool({ url, size, name, onIdleError, patienceMs }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: patienceMs ?? 5_000,
    ...(patienceMs !== undefined && { query_timeout: patienceMs }),
    keepAlive: true,
    application_name: name,
  });
  pool.on('error', () => {
    if (!pool.ending) outsideTurns(onIdleError);
  });
  // A query tells of its lost connection itself; the client's event on top of that would end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** How the connections of `pool` are used, by its name in metrics. */
export function useOf(pool: pg.Pool, name: string): PoolUse {
  const { totalCount: total, idleCount: idle, waitingCount: waiting } = pool;
  return { pool: name, limit: pool.options.max, total, idle, waiting };
}

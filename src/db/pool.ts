import pg from 'pg';

/** How to reach the database by one login. */
export interface PoolOptions {
  readonly url: string;
  /** The most connections at once. */
  readonly size: number;
  /** What `pg_stat_activity` shows. */
  readonly name: string;
  /** Told of a connection lost while nobody used it; the pool replaces it. */
  readonly onIdleError: () => void;
}

/** A pool of connections, each made when it is first needed. */
export function createPool({ url, size, name, onIdleError }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    application_name: name,
  });
  pool.on('error', () => {
    if (!pool.ending) onIdleError();
  });
  // A query tells of its lost connection itself; the client's event on top of that would end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

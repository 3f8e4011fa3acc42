import pLimit from 'p-limit';
import pg from 'pg';
import { ApiError } from '../contract/errors.ts';
import { outsideTaskRuns } from '../observability/task-run.ts';
import type { PoolUse } from '../observability/watch.ts';

const CONNECTION_TIMEOUT_MS = 5_000;
const QUEUE_TIMEOUT_MS = 10_000;

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
  readonly timeoutMs?: number;
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
export function createPool({ url, size, name, onIdleError, timeoutMs }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: timeoutMs ?? CONNECTION_TIMEOUT_MS,
    ...(timeoutMs !== undefined && { query_timeout: timeoutMs }),
    keepAlive: true,
    application_name: name,
  });
  pool.on('error', () => {
    if (!pool.ending) outsideTaskRuns(onIdleError);
  });
  // A query tells of its lost connection itself; the client's event on top of that would end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/**
 * How the connections of `pool` are used, by its name in metrics.
 * @param queuedCount how many statements wait before they ask the pool for a connection
 */
export function useOf(pool: pg.Pool, name: string, queuedCount = 0): PoolUse {
  const { totalCount: total, idleCount: idle, waitingCount } = pool;
  return { pool: name, limit: pool.options.max, total, idle, waiting: waitingCount + queuedCount };
}

/** Runs a few tasks at once; the others wait in a queue. */
export interface Limit {
  /** Runs `task` in its turn. @throws ApiError SERVICE_UNAVAILABLE after 10 seconds in the queue, without running it */
  run<T>(task: () => Promise<T>): Promise<T>;
  waitingCount(): number;
}

/** Lets at most `size` tasks run at once. */
export function limitConcurrency(size: number): Limit {
  const limit = pLimit(size);
  return {
    run: (task) =>
      new Promise((resolve, reject) => {
        let isLate = false;
        const timer = setTimeout(() => {
          isLate = true;
          reject(new ApiError('SERVICE_UNAVAILABLE'));
        }, QUEUE_TIMEOUT_MS);
        void limit(async () => {
          clearTimeout(timer);
          if (isLate) return;
          const running = task();
          resolve(running);
          await running;
        }).catch(() => {});
      }),
    waitingCount: () => limit.pendingCount,
  };
}

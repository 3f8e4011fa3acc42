import pLimit from 'p-limit';
import pg from 'pg';
import { ApiError } from '../contract/errors.ts';
import { outsideTaskRuns } from '../observability/task-run.ts';
import type { PoolUse } from '../observability/watch.ts';
import { isConnectionLost } from './errors.ts';
import { dropWhenSilent, findSocket, type Link } from './silence.ts';

const CONNECTION_TIMEOUT_MS = 5_000;
const IDLE_MS = 10_000;
const QUEUE_TIMEOUT_MS = 10_000;
/** How much longer than the statement_timeout a statement may wait: a Postgres that answers has cancelled it. */
const GRACE_MS = 2_000;

/** Options of a pool, which connects as one login. */
export interface PoolOptions {
  readonly url: string;
  /** The maximum number of connections. */
  readonly size: number;
  /** The application_name in `pg_stat_activity`. */
  readonly name: string;
  /** Called when an idle connection is lost; the pool replaces it. */
  readonly onIdleError: () => void;
  /** Whether each connection prepares a statement once, which not every pooler can do. Default: no. */
  readonly namesStatements?: boolean;
  /** Timeout for a connection, and again for an answer. Default: 5 seconds, and the login's statement_timeout and 2 more. */
  readonly timeoutMs?: number;
  /** Where the connections are added. */
  readonly link?: Link;
  /** Refuses connections to a standby. Default: no. */
  readonly isForPrimary?: boolean;
  /** After how long an idle connection is closed. Default: 10 seconds. */
  readonly idleMs?: number;
}

/** Pools whose statements are prepared once a connection. */
const naming = new WeakSet<pg.Pool>();

/** The names of prepared statements by their texts, of which there are few. */
const statementNames = new Map<string, string>();

function statementName(text: string): string {
  const name = statementNames.get(text) ?? `opine_${statementNames.size + 1}`;
  statementNames.set(text, name);
  return name;
}

/** Connections with a commit that no standby has confirmed. */
const unconfirmed = new WeakSet<pg.PoolClient>();

/**
 * Runs one statement. The pool keeps the connection after an error, unless the connection is lost.
 * @throws ApiError SERVICE_UNAVAILABLE if a commit stopped waiting for a standby, so that a failover may lose it
 */
export async function query<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  text: string,
  values: unknown[],
): Promise<pg.QueryResult<Row>> {
  const client = await pool.connect();
  let isLost = false;
  unconfirmed.delete(client);
  try {
    const result = await client.query<Row>({
      text,
      values,
      ...(naming.has(pool) && { name: statementName(text) }),
    });
    if (unconfirmed.has(client)) throw new ApiError('SERVICE_UNAVAILABLE');
    return result;
  } catch (error) {
    isLost = isConnectionLost(error);
    throw error;
  } finally {
    client.release(isLost);
  }
}

/** Creates a pool, which connects on demand. It drops a connection that does not answer in time. */
export function createPool(options: PoolOptions): pg.Pool {
  const { url, size, name, onIdleError, namesStatements, timeoutMs, idleMs = IDLE_MS } = options;
  const inUse = new WeakSet<pg.ClientBase>();
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: timeoutMs ?? CONNECTION_TIMEOUT_MS,
    idleTimeoutMillis: idleMs,
    keepAlive: true,
    application_name: name,
    onConnect: (client) => {
      inUse.add(client);
      return prepare(client, options, () => inUse.has(client));
    },
  });
  pool.on('acquire', (client) => inUse.add(client));
  pool.on('release', (_, client) => inUse.delete(client));
  if (namesStatements === true) naming.add(pool);
  pool.on('error', () => {
    if (!pool.ending) outsideTaskRuns(onIdleError);
  });
  // A lost connection rejects its query. An unhandled 'error' event would also end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  // When a statement times out during a commit in a procedure, Postgres warns, goes on and reports success.
  pool.on('connect', (client) =>
    client.on('notice', ({ routine }) => {
      if (routine === 'SyncRepWaitForLSN') unconfirmed.add(client);
    }),
  );
  return pool;
}

/**
 * Gives a new connection its timeout.
 * @throws Error for a standby, if the pool is for the primary
 */
async function prepare(client: pg.ClientBase, options: PoolOptions, isInUse: () => boolean): Promise<void> {
  const { timeoutMs, link, isForPrimary = false } = options;
  const socket = findSocket(client);
  dropWhenSilent(socket, timeoutMs ?? CONNECTION_TIMEOUT_MS, isInUse);
  link?.add(socket);
  if (timeoutMs !== undefined && !isForPrimary) return;
  const { rows } = await client.query<{ isStandby: boolean; statementTimeoutMs: number }>(`
    select pg_catalog.pg_is_in_recovery() as "isStandby",
      (1000 * extract(epoch from pg_catalog.current_setting('statement_timeout')::interval))::double precision
        as "statementTimeoutMs"`);
  const [{ isStandby, statementTimeoutMs } = { isStandby: false, statementTimeoutMs: 0 }] = rows;
  if (isForPrimary && isStandby) throw new Error('The address of the primary leads to a standby.');
  // Postgres lets a statement run for ever when its timeout is 0.
  if (timeoutMs === undefined) socket.setTimeout(statementTimeoutMs && statementTimeoutMs + GRACE_MS);
}

/**
 * Returns the pool's gauges.
 * @param name the label in metrics
 * @param queuedCount statements queued in front of the pool
 */
export function poolGauges(pool: pg.Pool, name: string, queuedCount = 0): PoolUse {
  const { totalCount: total, idleCount: idle, waitingCount } = pool;
  return { pool: name, limit: pool.options.max, total, idle, waiting: waitingCount + queuedCount };
}

/** Limits concurrency with a queue. */
export interface Limit {
  /** Runs `task` when a slot is free. @throws ApiError SERVICE_UNAVAILABLE after 10 seconds in the queue, without running it */
  run<T>(task: () => Promise<T>): Promise<T>;
  waitingCount(): number;
}

/** Creates a limit of `size` concurrent tasks. */
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

/** The login roles of the service (supabase/schemas/10_foundation/01_roles.sql). */
export type Login = 'opine_gateway' | 'opine_serializable' | 'opine_worker';

/**
 * Returns the URL of the same database for another login of the service; all share a password. Keeps a pooler's suffix
 * (`opine_gateway.<project>`).
 */
export function buildLoginUrl(gatewayUrl: string, login: Login): string {
  const url = new URL(gatewayUrl);
  url.username = url.username.replace(/^[^.]+/, login);
  return url.href;
}

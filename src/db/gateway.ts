import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { StaleRead } from '../contract/operation.ts';
import type { PoolUse } from '../observability/watch.ts';
import { isRefusedByPolicy, isSerializationFailure, LOCK_TIMEOUT, translate } from './errors.ts';
import { createPool, limitConcurrency, query, useOf } from './pool.ts';

/** A request as the database takes it. */
export interface Invocation {
  /** The operation's id: `api.<operation>` runs. */
  readonly operation: string;
  /** Verified claims of the caller's access token, null for a guest. */
  readonly claims: object | null;
  readonly args: object;
  /** Whether it may wait for locks of others: writes at once are limited, so that reads find a connection. */
  readonly isWrite: boolean;
  /** Where a guest may be given an answer that is a few seconds old. */
  readonly reads?: StaleRead | undefined;
  /** What Postgres shows while it runs. */
  readonly requestId: string;
}

/** What the gateway answers: the operation's data as JSON text. */
export interface Answer {
  readonly json: string;
  /** The first answer to the same request, kept for its Idempotency-Key. */
  readonly isReplayed: boolean;
}

/** What makes a request the same as an earlier one. */
export interface Idempotency {
  readonly key: string;
  readonly fingerprint: string;
}

/**
 * The way into Postgres: each call is one statement, one round trip. Every method throws the `ApiError` that the
 * operation raises, or `SERVICE_UNAVAILABLE`.
 */
export interface Gateway {
  /** Runs an operation as its caller; `fallsBack`: a dead session counts as a guest instead of being refused. */
  invoke(invocation: Invocation, fallsBack: boolean): Promise<Answer>;
  /** As `invoke`, for an operation whose arguments the service vouches for. */
  invokeAsService(invocation: Invocation, fallsBack: boolean): Promise<Answer>;
  /** As `invoke`, or as `invokeAsService`, for a request with an Idempotency-Key. */
  invokeOnce(invocation: Invocation, idempotency: Idempotency, asService: boolean): Promise<Answer>;
  /**
   * Runs an operation as the member of staff whose session has the token of this fingerprint.
   * @param policy who may be staff
   */
  invokeAsStaff(invocation: Invocation, tokenFingerprint: string, policy: object): Promise<Answer>;
  /** Runs an operation under SERIALIZABLE, tried again where it lost a race, and reads its answer after the commit. */
  invokeThenRead(invocation: Invocation): Promise<Answer>;
  /** Which of these notifications the streams of these sessions may tell of now, and what, in the order of their ids. */
  openSignals(notificationIds: readonly string[], sessionIds: readonly string[]): Promise<OpenedSignal[]>;
  /** Which of these sessions have not ended. */
  liveSessions(sessionIds: readonly string[]): Promise<Set<string>>;
  /** Resolves where the database answers; else throws. */
  ping(): Promise<void>;
  poolUse(): readonly PoolUse[];
  close(): Promise<void>;
}

/** A hint that may be told on the streams of a session. */
export interface OpenedSignal {
  readonly sessionId: string;
  readonly hint: { readonly notificationId: string; readonly inboxVersion: number };
}

const MAX_TRIES = 8;
const FIRST_BACKOFF_MS = 2;
const WRITE_SHARE = 0.75;

/**
 * Runs `work` again, after a short random wait that doubles, as long as it loses races.
 * @param retriesLockTimeouts whether a lock timeout is such a race: where it is short
 * @param onRetry told why, each time
 */
async function retried<T>(
  work: () => Promise<T>,
  retriesLockTimeouts: boolean,
  onRetry: (sqlstate: string) => void,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === MAX_TRIES || !(isSerializationFailure(error) || isRefusedByPolicy(error))) throw error;
      if (error.code === LOCK_TIMEOUT && !retriesLockTimeouts) throw error;
      onRetry(error.code ?? '');
      await pause(Math.random() * FIRST_BACKOFF_MS * 2 ** attempt);
    }
  }
}

/** How to reach the database: the login for requests, and how many connections each login may hold. */
export interface GatewayOptions {
  readonly url: string;
  readonly serializableUrl: string;
  readonly poolSize: number;
  /** What the address of a photo begins with; its id follows. */
  readonly photosUrl: string;
  /** Told of a connection lost while nobody used it. */
  readonly onIdleError: () => void;
  /** Told that a statement lost a race and is run again: by which pool, and the SQLSTATE. */
  readonly onRetry: (pool: string, sqlstate: string) => void;
}

/** How many connections writes may hold at once: the others are for reads, however many writes wait for one row. */
function writeLimitOf(poolSize: number): number {
  return Math.max(1, Math.min(Math.ceil(poolSize * WRITE_SHARE), poolSize - 1));
}

/** Opens the gateway's two pools; they connect when first used. */
export function createGateway(options: GatewayOptions): Gateway {
  const { url, serializableUrl, poolSize, photosUrl, onIdleError, onRetry } = options;
  const pool = { size: poolSize, name: 'opine-api', onIdleError };
  const requests = createPool({ ...pool, url });
  const writes = limitConcurrency(writeLimitOf(poolSize));
  const serializable = createPool({ ...pool, url: serializableUrl });
  const names = new Map([
    [requests, 'requests'],
    [serializable, 'serializable'],
  ]);

  async function ask(pool: pg.Pool, text: string, values: unknown[]): Promise<Answer> {
    try {
      const { rows } = await retried(
        () => query<{ answer: string; is_replayed?: boolean }>(pool, text, values),
        pool === serializable,
        (sqlstate) => onRetry(names.get(pool) ?? '', sqlstate),
      );
      return { json: rows[0]?.answer ?? 'null', isReplayed: rows[0]?.is_replayed ?? false };
    } catch (error) {
      throw translate(error);
    }
  }

  /** As `ask` of a request's connections. */
  function request(isWrite: boolean, text: string, values: unknown[]): Promise<Answer> {
    const run = () => ask(requests, text, values);
    return isWrite ? writes.run(run) : run();
  }

  return {
    invoke: ({ operation, claims, args, isWrite, requestId }, fallsBack) =>
      request(isWrite, 'select gateway.invoke($1, $2, $3, $4, $5, $6) as answer', [
        operation,
        claims,
        args,
        fallsBack,
        photosUrl,
        requestId,
      ]),
    invokeAsService: ({ operation, claims, args, isWrite, requestId }, fallsBack) =>
      request(isWrite, 'select gateway.invoke_as_service($1, $2, $3, $4, $5) as answer', [
        operation,
        claims,
        args,
        fallsBack,
        requestId,
      ]),
    invokeOnce: ({ operation, claims, args, isWrite, requestId }, { key, fingerprint }, asService) =>
      request(
        isWrite,
        'select answer, is_replayed from gateway.invoke_once($1, $2, $3, $4, $5, $6, $7, $8)',
        [operation, claims, args, key, fingerprint, asService, photosUrl, requestId],
      ),
    invokeAsStaff: ({ operation, args, isWrite, requestId }, tokenFingerprint, policy) =>
      request(isWrite, 'select gateway.invoke_as_staff($1, $2, $3, $4, $5) as answer', [
        operation,
        tokenFingerprint,
        policy,
        args,
        requestId,
      ]),
    invokeThenRead: ({ operation, claims, args, requestId }) =>
      ask(serializable, 'call gateway.invoke_then_read($1, $2, $3, null, $4)', [
        operation,
        claims,
        args,
        requestId,
      ]),
    openSignals: async (notificationIds, sessionIds) => {
      const { rows } = await query<OpenedSignal>(
        requests,
        'select session_id as "sessionId", hint from gateway.open_signals($1, $2)',
        [notificationIds, sessionIds],
      );
      return rows;
    },
    liveSessions: async (sessionIds) => {
      const { rows } = await query<{ id: string }>(
        requests,
        'select id from gateway.live_sessions($1) as id',
        [sessionIds],
      );
      return new Set(rows.map(({ id }) => id));
    },
    ping: async () => {
      await ask(requests, 'select gateway.is_ready() as answer', []);
    },
    poolUse: () => [useOf(requests, 'requests', writes.waitingCount()), useOf(serializable, 'serializable')],
    close: async () => {
      await Promise.all([requests.end(), serializable.end()]);
    },
  };
}

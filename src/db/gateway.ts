import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { ApiError } from '../contract/errors.ts';
import type { PoolUse } from '../observability/watch.ts';
import { retry } from '../retry.ts';
import { isRefusedByPolicy, isSerializationFailure, LOCK_TIMEOUT, translate } from './errors.ts';
import { createPool, limitConcurrency, poolGauges, query } from './pool.ts';
import type { Link } from './silence.ts';
import type { ApiFunction } from './types.ts';

/** One run of an operation. */
export interface GatewayCall {
  readonly operation: ApiFunction;
  readonly args: object;
  /**
   * The identity of the run: `caller` under their policies; `reader` the same, in a read; `service` if the service vouches for the
   * arguments; `staff` as the role of a staff session.
   */
  readonly mode: 'caller' | 'reader' | 'service' | 'staff';
  /** Verified claims, null for a guest. Of staff: `tokenHash` (SHA-256, hex) of the session, `policy` of the allow-list. */
  readonly claims: object | null;
  /** Treats a dead session as a guest instead of refusing it. */
  readonly treatsEndedSessionAsGuest: boolean;
  /** Writes may wait for locks, so they never take all connections. */
  readonly isWrite: boolean;
  /** Lets a replica answer a read; null for the primary alone. */
  readonly replicaRead: ReplicaReadOptions | null;
  /** A write that may take a right from somebody: its answer waits until no replica shows what was before. */
  readonly revokesAccess: boolean;
  readonly idempotency: Idempotency | null;
  /** The keyed hash of the caller's address where guests are limited by it, else null. */
  readonly addressHash: string | null;
  /** Postgres shows it in pg_stat_activity and in its log. */
  readonly requestId: string;
}

/** How old an answer from a replica may be. */
export interface ReplicaReadOptions {
  /** The writes of the caller that it must include. */
  readonly transactionIds: readonly string[];
}

/** The answer of an operation. */
export interface Answer {
  /** The data as JSON text. */
  readonly json: string;
  /** The id of the transaction of a write, null for a read. A replica that shows this transaction shows all that it depends on. */
  readonly transactionId: string | null;
  /** Whether an earlier request with the same Idempotency-Key did the work. */
  readonly isReplayed: boolean;
}

/** Identifies a request, so that a repetition gets what the first one created. */
export interface Idempotency {
  readonly key: string;
  readonly fingerprint: string;
}

/** The way into Postgres: every call is one statement and one round trip. */
export interface Gateway {
  /** Runs an operation. @throws ApiError what the operation raises, or SERVICE_UNAVAILABLE */
  call(call: GatewayCall): Promise<Answer>;
  /**
   * Runs an operation that writes under SERIALIZABLE, retries lost races, and reads the answer after the commit.
   * @throws ApiError as `call`
   */
  callSerializable(
    call: Omit<
      GatewayCall,
      'mode' | 'treatsEndedSessionAsGuest' | 'isWrite' | 'idempotency' | 'replicaRead' | 'addressHash'
    >,
  ): Promise<Answer>;
  /** Records that the caller of these claims used a Hub. It never rejects: what is lost is recorded at the next use. */
  recordPresence(claims: object | null, hubId: string): Promise<void>;
  /** Returns the signals of these notifications for the streams of these sessions, ordered by notification id. */
  openSignals(notificationIds: readonly string[], sessionIds: readonly string[]): Promise<OpenedSignal[]>;
  /** Returns those of the sessions that are live. */
  liveSessions(sessionIds: readonly string[]): Promise<Set<string>>;
  /** Throws if the database does not answer within 2.5 seconds. */
  ping(): Promise<void>;
  poolUse(): readonly PoolUse[];
  close(): Promise<void>;
}

/** A signal for the streams of a session. */
export interface OpenedSignal {
  readonly sessionId: string;
  readonly signal: { readonly notificationId: string; readonly inboxVersion: number };
}

const CALL = 'from gateway.call($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)';
const STAFF_READ = `select answer ${CALL}`;
// Takes an id although nothing was written: an answer may rest on an earlier request of the same person.
const WRITE = `select answer, is_replayed, pg_catalog.pg_current_xact_id() as transaction_id ${CALL}`;

/** Returns the statement of a read: one for each operation, because `gateway.call` would plan the call of the operation each time. */
function readStatement(operation: ApiFunction): string {
  return `select api.${operation}(gateway.begin_read('${operation}', $1, $2, $3, $4, $5, $6))::text as answer,
    nullif(pg_catalog.current_setting('opine.visited_hub', true), '') as visited_hub`;
}

const WRITE_SHARE = 0.75;
const PING_TIMEOUT_MS = 2_500;

/** Options of a gateway. `url` connects as opine_gateway, `serializableUrl` as opine_serializable. */
export interface GatewayOptions {
  readonly url: string;
  readonly serializableUrl: string;
  readonly poolSize: number;
  /** See `PoolOptions`. */
  readonly namesStatements?: boolean;
  /** The prefix of photo URLs; the asset id follows. */
  readonly photosUrl: string;
  /** The limits of a person (`configuredLimits`). */
  readonly limits: object | null;
  /** See `PoolOptions`. */
  readonly link?: Link;
  /** Called when an idle connection is lost. */
  readonly onIdleError: () => void;
  /** Called with the error when a visit of a Hub was not recorded. */
  readonly onVisitLost: (error: unknown) => void;
  /** Called with the pool and the SQLSTATE when a statement lost a race and is retried. */
  readonly onRetry: (pool: string, sqlstate: string) => void;
}

/** The row of a call. */
interface Row {
  readonly answer?: string | null;
  readonly is_replayed?: boolean;
  readonly visited_hub?: string | null;
  readonly transaction_id?: string;
}

function toAnswer({ answer, is_replayed, transaction_id }: Row): Answer {
  return { json: answer ?? 'null', isReplayed: is_replayed ?? false, transactionId: transaction_id ?? null };
}

/** How many connections writes may hold, so that reads find one although many writes wait for the same row. */
function maxConcurrentWrites(poolSize: number): number {
  return Math.max(1, Math.min(Math.ceil(poolSize * WRITE_SHARE), poolSize - 1));
}

/**
 * Creates a gateway with its pools, which connect on demand. Guests have one of their own: a connection that serves guests and
 * members in turn plans every query under policies anew.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: its functions share what it holds.
export function createGateway(options: GatewayOptions): Gateway {
  const {
    url,
    serializableUrl,
    poolSize,
    namesStatements = false,
    photosUrl,
    limits,
    link,
    onIdleError,
    onVisitLost,
  } = options;
  const pool = { size: poolSize, namesStatements, name: 'opine-api', onIdleError, ...(link && { link }) };
  const requests = createPool({ ...pool, url });
  const guests = createPool({ ...pool, url });
  const writes = limitConcurrency(maxConcurrentWrites(poolSize));
  const serializable = createPool({ ...pool, url: serializableUrl });
  const names = new Map([
    [requests, 'requests'],
    [guests, 'guests'],
    [serializable, 'serializable'],
  ]);

  async function runStatement(pool: pg.Pool, text: string, values: unknown[]): Promise<Row> {
    try {
      const { rows } = await retry(() => query<Row>(pool, text, values), {
        attempts: 8,
        firstMs: 2,
        shouldRetry: (error) => {
          if (!isSerializationFailure(error) && !isRefusedByPolicy(error)) return false;
          // Elsewhere the request has waited long enough.
          if (error.code === LOCK_TIMEOUT && pool !== serializable) return false;
          options.onRetry(names.get(pool) ?? '', error.code ?? '');
          return true;
        },
      });
      return rows[0] ?? {};
    } catch (error) {
      throw translate(error);
    }
  }

  // What `close` waits for.
  const visits = new Set<Promise<void>>();

  function recordPresence(claims: object | null, hubId: string): Promise<void> {
    const visit = query(requests, `select gateway.record_presence(($1::jsonb ->> 'sub')::uuid, $2)`, [
      claims,
      hubId,
    ])
      .then(() => {}, onVisitLost)
      .finally(() => visits.delete(visit));
    visits.add(visit);
    return visit;
  }

  return {
    call: async (call) => {
      const {
        operation,
        args,
        mode,
        claims,
        treatsEndedSessionAsGuest,
        isWrite,
        requestId,
        idempotency,
        addressHash,
      } = call;
      const pool = claims === null ? guests : requests;
      const values = [args, claims, treatsEndedSessionAsGuest, photosUrl, requestId];
      const allLimits = addressHash === null ? limits : { ...limits, addressHash };
      const runCall = (text: string) =>
        runStatement(pool, text, [
          mode,
          operation,
          ...values,
          idempotency?.key,
          idempotency?.fingerprint,
          allLimits,
        ]);
      const run = () =>
        mode === 'reader'
          ? runStatement(pool, readStatement(operation), [...values, allLimits])
          : runCall(isWrite ? WRITE : STAFF_READ);
      const row = await (isWrite ? writes.run(run) : run());
      // At most once in five minutes for a member and a Hub, so that whoever reads next counts this visit.
      if (row.visited_hub) await recordPresence(claims, row.visited_hub);
      return toAnswer(row);
    },
    callSerializable: async ({ operation, args, claims, requestId }) =>
      toAnswer(
        await runStatement(serializable, `call gateway.${operation}($1, $2, $3, $4, null, null)`, [
          args,
          claims,
          requestId,
          limits,
        ]),
      ),
    recordPresence,
    openSignals: async (notificationIds, sessionIds) => {
      const { rows } = await query<OpenedSignal>(
        requests,
        'select session_id as "sessionId", signal from gateway.open_signals($1, $2)',
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
      const ready = runStatement(requests, 'select gateway.is_ready() as answer', []);
      const late = pause(PING_TIMEOUT_MS, null, { ref: false });
      if ((await Promise.race([ready, late])) === null) throw new ApiError('SERVICE_UNAVAILABLE');
    },
    poolUse: () =>
      [...names].map(([each, name]) => poolGauges(each, name, each === requests ? writes.waitingCount() : 0)),
    close: async () => {
      await Promise.all(visits);
      await Promise.all([...names.keys()].map((each) => each.end()));
    },
  };
}

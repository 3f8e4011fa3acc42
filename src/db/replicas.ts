import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { ApiError } from '../contract/errors.ts';
import type { PoolUse, ReplicaRead } from '../observability/watch.ts';
import { isSerializationFailure, translate } from './errors.ts';
import type { Answer, Gateway, GatewayCall, ReplicaReadOptions } from './gateway.ts';
import { createPool, poolGauges, query } from './pool.ts';

const TIMEOUT_MS = 2_000;
const OPEN_MS = 5_000;

/** How far a replica may be behind the primary. One that is further behind refuses reads. */
const MAX_AGE_MS = 3_000;

/** A replica that lacks a write for so long refuses reads. The clocks of two servers may differ by the second above. */
const FENCED_AFTER_MS = MAX_AGE_MS + 1_000;

/** How long one statement waits for writes to arrive, and how long to wait after a failure. */
const ROUND_MS = 100;

/** Options of replicas. */
export interface ReplicasOptions {
  /** Each names one server. */
  readonly urls: readonly string[];
  readonly poolSize: number;
  /** See `PoolOptions`. */
  readonly namesStatements: boolean;
  /** See `GatewayOptions`. */
  readonly photosUrl: string;
  /** Called when an idle connection is lost. */
  readonly onIdleError: () => void;
  /** Called with the outcome of each read that a replica may answer. */
  readonly onRead: (outcome: ReplicaRead) => void;
  /** Called with the error that opens the circuit of a replica: it is unreachable, too far behind, or broken. */
  readonly onOpen: (error: unknown) => void;
}

/** The answer of a replica. */
interface ReplicaAnswer {
  /** Null if the replica lacks a write that the answer must include. */
  readonly answer: string | null;
  /** See `gateway.call`. */
  readonly visited_hub: string | null;
}

/** A read replica with a circuit breaker. It connects on demand. */
interface Replica {
  /** The number of reads under way; null while the circuit is open. */
  load(): number | null;
  /** Returns the answer, or null if the primary must answer. */
  read(call: GatewayCall, options: ReplicaReadOptions): Promise<ReplicaAnswer | null>;
  /** Resolves when the replica shows a write, or has lacked it for so long that it refuses reads. */
  untilApplied(transactionId: string): Promise<void>;
  poolUse(): readonly PoolUse[];
  close(): Promise<unknown>;
}

function createReplica(url: string, name: string, options: ReplicasOptions): Replica {
  const { poolSize, namesStatements, photosUrl, onIdleError, onRead, onOpen } = options;
  const shared = { url, name: 'opine-replica', timeoutMs: TIMEOUT_MS, namesStatements, onIdleError };
  const reads = createPool({ ...shared, size: poolSize });
  const guestReads = createPool({ ...shared, size: poolSize });
  const arrivals = createPool({ ...shared, name: 'opine-arrivals', size: 1 });
  let underWay = 0;
  // Until when the circuit is open; null while it is closed.
  let openUntil: number | null = null;

  async function tryToRead(
    call: GatewayCall,
    { transactionIds }: ReplicaReadOptions,
  ): Promise<ReplicaAnswer | null> {
    // Half-open: when the pause is over, one request tries the replica.
    if (openUntil !== null) openUntil = performance.now() + OPEN_MS;
    const { operation, args, claims, requestId } = call;
    try {
      const { rows } = await query<ReplicaAnswer & pg.QueryResultRow>(
        claims === null ? guestReads : reads,
        'select answer, visited_hub from gateway.call_replica($1, $2, $3, $4, $5, $6, $7)',
        [operation, args, claims, transactionIds, `${MAX_AGE_MS} milliseconds`, photosUrl, requestId],
      );
      openUntil = null;
      const hasAnswer = typeof rows[0]?.answer === 'string';
      onRead(hasAnswer ? 'answered' : 'behind');
      return hasAnswer ? (rows[0] ?? null) : null;
    } catch (error) {
      onRead(handleFailure(error));
      return null;
    }
  }

  /** Opens the circuit, or passes on this request only. */
  function handleFailure(error: unknown): ReplicaRead {
    const opensCircuit = !concernsOnlyRequest(error);
    if (opensCircuit && openUntil === null) onOpen(error);
    openUntil = opensCircuit ? performance.now() + OPEN_MS : null;
    return opensCircuit ? 'failed' : 'passed';
  }

  return {
    load: () => (openUntil === null || performance.now() >= openUntil ? underWay : null),
    read: async (call, stale) => {
      underWay += 1;
      try {
        return await tryToRead(call, stale);
      } finally {
        underWay -= 1;
      }
    },
    untilApplied: awaitArrivals(async (transactionIds) => {
      const { rows } = await query<{ id: string }>(arrivals, 'select id from gateway.applied($1, $2) as id', [
        transactionIds,
        `${ROUND_MS} milliseconds`,
      ]);
      return rows.map(({ id }) => id);
    }),
    poolUse: () => [poolGauges(reads, name), poolGauges(guestReads, `${name}, guests`)],
    close: () => Promise.all([reads, guestReads, arrivals].map((pool) => pool.end())),
  };
}

/** Whether the failure concerns this request alone: a refusal, or a conflict with replication. */
function concernsOnlyRequest(error: unknown): boolean {
  const translated = translate(error);
  const isRefusal = translated instanceof ApiError && translated.code !== 'SERVICE_UNAVAILABLE';
  return isRefusal || isSerializationFailure(error);
}

/**
 * Returns a function that waits, FENCED_AFTER_MS at most, until a write has arrived. One statement at a time polls for all of them.
 * @param poll returns those of the transactions that have arrived, and may wait for some to arrive
 */
function awaitArrivals(
  poll: (transactionIds: readonly string[]) => Promise<readonly string[]>,
): (id: string) => Promise<void> {
  const waiting = new Map<string, () => void>();
  let isPolling = false;

  async function pollForAll(): Promise<void> {
    if (isPolling) return;
    isPolling = true;
    while (waiting.size > 0) {
      // A replica that this process cannot reach may still answer others. After FENCED_AFTER_MS it answers nobody.
      const arrived = await poll([...waiting.keys()]).catch(() => pause(ROUND_MS * Math.random(), []));
      for (const id of arrived) waiting.get(id)?.();
    }
    isPolling = false;
  }

  return (id) =>
    new Promise((resolve) => {
      const arrive = () => {
        clearTimeout(timer);
        waiting.delete(id);
        resolve();
      };
      const timer = setTimeout(arrive, FENCED_AFTER_MS);
      waiting.set(id, arrive);
      void pollForAll();
    });
}

/**
 * Returns a gateway that lets replicas answer reads where possible. It answers a write that ends rights when every replica shows
 * the write or refuses reads (docs/decisions/018-replicas.md).
 */
export function withReplicas(gateway: Gateway, options: ReplicasOptions): Gateway {
  const replicas = options.urls.map((url, index) => createReplica(url, `replica ${index + 1}`, options));

  /** Returns the least loaded replica, null while every circuit is open. */
  function choose(): Replica | null {
    let [chosen, least]: [Replica | null, number] = [null, Number.POSITIVE_INFINITY];
    for (const replica of replicas) {
      // The fraction decides at random among equals.
      const load = (replica.load() ?? Number.POSITIVE_INFINITY) + Math.random();
      if (load < least) [chosen, least] = [replica, load];
    }
    return chosen;
  }

  async function read(call: GatewayCall): Promise<Answer | null> {
    if (call.replicaRead === null) return null;
    const replica = choose();
    if (replica === null) {
      options.onRead('open');
      return null;
    }
    const row = await replica.read(call, call.replicaRead);
    if (row === null) return null;
    // Nobody waits for it, since the primary may be away.
    if (row.visited_hub !== null) void gateway.recordPresence(call.claims, row.visited_hub);
    return { json: row.answer ?? 'null', isReplayed: false, transactionId: null };
  }

  /** Waits until no replica shows what was before the write. */
  async function settle(revokesAccess: boolean, answer: Answer): Promise<Answer> {
    const { transactionId } = answer;
    if (revokesAccess && transactionId !== null) {
      await Promise.all(replicas.map((replica) => replica.untilApplied(transactionId)));
    }
    return answer;
  }

  return {
    ...gateway,
    call: async (call) => (await read(call)) ?? settle(call.revokesAccess, await gateway.call(call)),
    callSerializable: async (call) => settle(call.revokesAccess, await gateway.callSerializable(call)),
    poolUse: () => [...gateway.poolUse(), ...replicas.flatMap((replica) => replica.poolUse())],
    close: async () => {
      await Promise.all([gateway.close(), ...replicas.map((replica) => replica.close())]);
    },
  };
}

import { ApiError } from '../contract/errors.ts';
import type { StaleRead } from '../contract/stale-reads.ts';
import type { PoolUse, ReplicaRead } from '../observability/watch.ts';
import { isSerializationFailure, translate } from './errors.ts';
import type { Answer, Gateway, GatewayCall } from './gateway.ts';
import { createPool, query, useOf } from './pool.ts';

const TIMEOUT_MS = 2_000;
const OPEN_MS = 5_000;

/** A read replica, which lags behind the primary. */
export interface Replica {
  /** Returns the answer, or null if the primary must answer. */
  answer(call: GatewayCall): Promise<Answer | null>;
  poolUse(): PoolUse;
  close(): Promise<void>;
}

/** Options of a replica. */
export interface ReplicaOptions {
  readonly url: string;
  /** The reads that it answers. */
  readonly reads: readonly StaleRead[];
  readonly poolSize: number;
  /** See `GatewayOptions`. */
  readonly photosUrl: string;
  /** Called when an idle connection is lost. */
  readonly onIdleError: () => void;
  /** Called with the outcome of each read that it may answer. */
  readonly onRead: (outcome: ReplicaRead) => void;
  /** Called with the error that opens the circuit: the replica is unreachable, too far behind, or broken. */
  readonly onOpen: (error: unknown) => void;
}

/** Creates a replica with a circuit breaker. It connects on demand. */
export function createReplica({
  reads,
  photosUrl,
  onRead,
  onOpen,
  poolSize,
  ...rest
}: ReplicaOptions): Replica {
  const pool = createPool({ ...rest, size: poolSize, name: 'opine-replica', timeoutMs: TIMEOUT_MS });
  // Until when the circuit is open; null while it is closed.
  let openUntil: number | null = null;

  /** Half-open: when the pause is over, one request tries the replica. */
  function isOpen(): boolean {
    if (openUntil === null) return false;
    if (performance.now() < openUntil) return true;
    openUntil = performance.now() + OPEN_MS;
    return false;
  }

  async function callReplica({ operation, args, requestId }: GatewayCall): Promise<Answer> {
    const { rows } = await query<{ answer: string }>(
      pool,
      `select answer from gateway.call('guest', $1, $2, null, false, $3, $4)`,
      [operation, args, photosUrl, requestId],
    );
    return { json: rows[0]?.answer ?? 'null', isReplayed: false };
  }

  /** Opens the circuit, or falls back for this request only. */
  function handleFailure(error: unknown): ReplicaRead {
    const opensCircuit = !concernsOnlyRequest(error);
    if (opensCircuit && openUntil === null) onOpen(error);
    openUntil = opensCircuit ? performance.now() + OPEN_MS : null;
    return opensCircuit ? 'failed' : 'passed';
  }

  return {
    answer: async (call) => {
      const { claims, reads: read } = call;
      if (claims !== null || read === undefined || !reads.includes(read)) return null;
      if (isOpen()) {
        onRead('open');
        return null;
      }
      try {
        const answer = await callReplica(call);
        openUntil = null;
        onRead('answered');
        return answer;
      } catch (error) {
        onRead(handleFailure(error));
        return null;
      }
    },
    poolUse: () => useOf(pool, 'replica'),
    close: () => pool.end(),
  };
}

/** Whether the failure concerns this request alone: a refusal, or a conflict with replication. */
function concernsOnlyRequest(error: unknown): boolean {
  const translated = translate(error);
  const isRefusal = translated instanceof ApiError && translated.code !== 'SERVICE_UNAVAILABLE';
  return isRefusal || isSerializationFailure(error);
}

/** Returns a gateway that lets the replica answer guests' reads if possible. */
export function withReplica(gateway: Gateway, replica: Replica): Gateway {
  return {
    ...gateway,
    call: async (call) => (await replica.answer(call)) ?? gateway.call(call),
    poolUse: () => [...gateway.poolUse(), replica.poolUse()],
    close: async () => {
      await Promise.all([gateway.close(), replica.close()]);
    },
  };
}
